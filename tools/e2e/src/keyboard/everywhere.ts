import type { Desk } from './desk';

/** Signs in. */
export async function signInByHand({ hands, page, product }: Desk): Promise<void> {
  await page.goto(product.state.address);
  await hands.press(page.getByRole('button', { name: 'Sign in with Google' }));
  const account = page.getByRole('link', { name: /admin@autoposter\.local · on the admin list/ });
  await account.waitFor();
  for (let presses = 0; presses < 20 && !(await account.evaluate((link) => link === document.activeElement)); presses += 1)
    await hands.key('Tab');
  await hands.key('Enter');
  await hands.within(page.getByRole('heading', { level: 1, name: 'Instagram Auto-Poster Dashboard' }));
  await page.getByText('All Systems Operational').waitFor();
}

/** Palette, help and switches. */
export async function useWhatIsEverywhere({ button, dialog, hands, list, page, shut }: Desk): Promise<void> {
  await hands.key('Control+k');
  await hands.within(list('Go to a screen'));
  await page.keyboard.type('rights');
  await page.getByRole('option', { name: 'Rights Register', selected: true }).waitFor();
  await hands.key('Escape');
  await dialog().waitFor({ state: 'hidden' });
  await hands.at(button('Refresh DMCA Data'));
  await page.keyboard.type('?');
  await hands.within(page.getByRole('dialog', { name: 'Keyboard shortcuts' }));
  await hands.key('Escape');
  await dialog().waitFor({ state: 'hidden' });
  await hands.at(button('Refresh DMCA Data'));
  const header = page.getByRole('banner');
  await hands.press(header.getByRole('button', { name: 'Pause publishing' }));
  await hands.answer('Pause publishing');
  await page.getByRole('region', { name: 'Publishing is paused' }).waitFor();
  await hands.press(header.getByRole('button', { name: 'Resume publishing' }));
  await hands.answer('Resume publishing');
  await header.getByRole('button', { name: 'Pause publishing' }).waitFor();
  await hands.press(header.getByRole('button', { name: /^Failures and notices/ }));
  await shut(header.getByRole('button', { name: /^Failures and notices/ }));
  for (const name of ['Dark', 'Light']) await hands.choose(header.getByRole('button', { name: 'Colour scheme' }), name);
}

/** Goes through tabs, changes the number of lines, searches, clears. */
export async function readLogs({ button, go, hands, list, page, told }: Desk): Promise<void> {
  await go('Logs');
  const tab = (name: string) => page.getByRole('tab', { name });
  await hands.reach(tab('Server Logs'));
  await hands.key('ArrowRight', 'Enter');
  await hands.at(tab('Browser Logs'));
  await page.waitForURL(/tab=browser/);
  await hands.key('ArrowLeft', 'Enter');
  await hands.choose(list('Lines'), '500');
  await page.waitForURL(/lines=500/);
  await hands.press(page.getByRole('checkbox', { name: 'Auto-refresh' }), 'Space');
  await hands.press(button(/^Info \d/), 'Space');
  await page.waitForURL(/hide=info/);
  await hands.key('Space', '/');
  await hands.at(page.getByRole('main').getByRole('searchbox'));
  await page.keyboard.insertText('nothing like this');
  await page.getByText('0 of 0').waitFor();
  await hands.reach(page.getByRole('log'));
  await hands.press(button('Clear Local Logs'));
  await hands.answer('Clear Local Logs');
  await told('Local logs cleared');
  await hands.at(button('Clear Local Logs'));
}

/** Looks for the media tools, chooses how notices stay and which keys work. */
export async function workOnSettings({ button, go, hands, list, page }: Desk): Promise<void> {
  await go('Settings');
  await hands.press(button('Test Compatibility Setup'));
  await page
    .getByText(/FFprobe/)
    .first()
    .waitFor();
  await hands.at(button('Test Compatibility Setup'));
  await hands.choose(list('Notices stay'), '10 seconds');
  const zone = list('Time zone');
  await hands.fill(zone, 'Asia/Kathmandu');
  await hands.key('Tab');
  await page
    .getByRole('banner')
    .getByRole('button', { name: /Asia\/Kathmandu/ })
    .waitFor();
  await hands.somewhere();
  await hands.press(page.getByRole('checkbox', { name: /^Keyboard shortcuts/ }), 'Space');
  await hands.key('g', 'd');
  expect(page.url()).toMatch(/settings$/);
  await hands.key('Space');
}

/** Is asked, thinks better of it, does it. */
export async function clearAll({ button, go, hands, page, told }: Desk): Promise<void> {
  await go('Dashboard', 'Instagram Auto-Poster Dashboard');
  await hands.press(button('Clear All Data'));
  await hands.answer('Cancel');
  await hands.at(button('Clear All Data'));
  await hands.key('Enter');
  await hands.fill(page.getByRole('alertdialog').getByRole('textbox'), 'CLEAR');
  await hands.answer('Clear All Data');
  await told(/^All data was cleared/);
  await page.getByText('No files ready for DMCA protection').waitFor();
}

/** Signs out. */
export async function leave({ hands, page }: Desk): Promise<void> {
  await hands.press(page.getByRole('complementary').getByRole('button', { name: 'Logout' }));
  await page.getByRole('button', { name: 'Sign in with Google' }).waitFor();
}
