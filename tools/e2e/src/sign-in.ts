import type { Page } from 'playwright-core';

/** From the landing page through the simulated Google to the dashboard, as the one who is on the admin list. */
export async function signIn(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await page.getByRole('button', { name: 'Sign in with Google' }).click();
  await page.getByRole('link', { name: /admin@autoposter\.local · on the admin list/ }).click();
  await page.getByRole('heading', { name: 'Instagram Auto-Poster Dashboard' }).waitFor();
  await page.getByText('All Systems Operational').waitFor();
}
