import type { Page } from 'playwright-core';
import type { SimulatedWorld } from './simulated-world';

const PATIENCE_MS = 150_000;

/** Leaves one post before protection, one before its caption, one ready to be posted and one that failed, by hand as a person does it. */
export async function putPostsAtEveryDoor(page: Page, address: string, world: SimulatedWorld): Promise<void> {
  const posts = await Promise.all(['portrait', 'silent', 'naming-2020', 'garbage'].map((key) => world.post(key)));
  await page.goto(`${address}/admin/urls`);
  await page.getByLabel('Post URLs, one per line').fill(posts.map(({ permalink }) => permalink).join('\n'));
  await page.getByRole('button', { name: 'Add URLs' }).click();
  await page.getByText('Successfully processed 4 URL(s)').waitFor({ timeout: PATIENCE_MS });
  await page.getByLabel('Processing errors').first().waitFor({ timeout: PATIENCE_MS });
  await page.goto(`${address}/admin`);
  const protect = page.getByRole('button', { name: 'PROCESS DMCA' });
  const caption = page.getByRole('button', { name: 'PROCESS AI' });
  await protect.nth(2).waitFor({ timeout: PATIENCE_MS });
  await protect.first().click();
  await caption.first().click({ timeout: PATIENCE_MS });
  await protect.first().click();
  await page.goto(`${address}/admin/processed`);
  await page.getByRole('button', { name: 'Post Now' }).first().waitFor({ timeout: PATIENCE_MS });
  await page.goto(`${address}/admin`);
  await caption.first().waitFor({ timeout: PATIENCE_MS });
}
