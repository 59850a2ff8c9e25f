import type { KeyboardTestContext } from './keyboard-test-context';

export async function signIn({ user, page, product }: KeyboardTestContext): Promise<void> {
  await page.goto(product.state.address);
  await user.press(page.getByRole('button', { name: 'Sign in with Google' }));
  const account = page.getByRole('link', { name: /admin@autoposter\.local · on the admin list/ });
  await account.waitFor();
  for (let presses = 0; presses < 20 && !(await account.evaluate((link) => link === document.activeElement)); presses += 1)
    await user.pressKeys('Tab');
  await user.pressKeys('Enter');
  await user.expectFocusWithin(page.getByRole('heading', { level: 1, name: 'Instagram Auto-Poster Dashboard' }));
  await page.getByText('All Systems Operational').waitFor();
}

export async function useGlobalControls({ button, dialog, user, combobox, page, closeDialog }: KeyboardTestContext): Promise<void> {
  await user.pressKeys('Control+k');
  await user.expectFocusWithin(combobox('Search screens'));
  await page.keyboard.type('rights');
  await page.getByRole('option', { name: 'Rights Register', selected: true }).waitFor();
  await user.pressKeys('Escape');
  await dialog().waitFor({ state: 'hidden' });
  await user.expectFocusOn(button('Refresh DMCA Data'));
  await page.keyboard.type('?');
  await user.expectFocusWithin(page.getByRole('dialog', { name: 'Keyboard shortcuts' }));
  await user.pressKeys('Escape');
  await dialog().waitFor({ state: 'hidden' });
  await user.expectFocusOn(button('Refresh DMCA Data'));
  const header = page.getByRole('banner');
  await user.press(header.getByRole('button', { name: 'Pause publishing' }));
  await user.answerDialog('Pause publishing');
  await page.getByRole('region', { name: 'Publishing is paused' }).waitFor();
  await user.press(header.getByRole('button', { name: 'Resume publishing' }));
  await user.answerDialog('Resume publishing');
  await header.getByRole('button', { name: 'Pause publishing' }).waitFor();
  await user.press(header.getByRole('button', { name: /^Failures and notifications/ }));
  await closeDialog(header.getByRole('button', { name: /^Failures and notifications/ }));
  for (const name of ['Dark', 'Light']) await user.selectOption(header.getByRole('button', { name: 'Colour scheme' }), name);
}

export async function readLogs({ button, openScreen, user, combobox, page, expectNotification }: KeyboardTestContext): Promise<void> {
  await openScreen('Logs');
  const tab = (name: string) => page.getByRole('tab', { name });
  await user.tabTo(tab('Server Logs'));
  await user.pressKeys('ArrowRight', 'Enter');
  await user.expectFocusOn(tab('Browser Logs'));
  await page.waitForURL(/tab=browser/);
  await user.pressKeys('ArrowLeft', 'Enter');
  await user.selectOption(combobox('Lines'), '500');
  await page.waitForURL(/lines=500/);
  await user.press(page.getByRole('checkbox', { name: 'Auto-refresh' }), 'Space');
  await user.press(button(/^Info \d/), 'Space');
  await page.waitForURL(/hide=info/);
  await user.pressKeys('Space', '/');
  await user.expectFocusOn(page.getByRole('main').getByRole('searchbox'));
  await page.keyboard.insertText('nothing like this');
  await page.getByText('0 of 0').waitFor();
  await user.tabTo(page.getByRole('log'));
  await user.press(button('Clear Local Logs'));
  await user.answerDialog('Clear Local Logs');
  await expectNotification('Local logs cleared');
  await user.expectFocusOn(button('Clear Local Logs'));
}

export async function changeSettings({ button, openScreen, user, combobox, page }: KeyboardTestContext): Promise<void> {
  await openScreen('Settings');
  await user.press(button('Test Compatibility Setup'));
  await page
    .getByText(/FFprobe/)
    .first()
    .waitFor();
  await user.expectFocusOn(button('Test Compatibility Setup'));
  await user.selectOption(combobox('Show notifications for'), '10 seconds');
  const zone = combobox('Time zone');
  await user.fill(zone, 'Asia/Kathmandu');
  await user.pressKeys('Tab');
  await page
    .getByRole('banner')
    .getByRole('button', { name: /Asia\/Kathmandu/ })
    .waitFor();
  await user.expectFocus();
  await user.press(page.getByRole('checkbox', { name: /^Single-key shortcuts/ }), 'Space');
  await user.pressKeys('g', 'd');
  expect(page.url()).toMatch(/settings$/);
  await user.pressKeys('Space');
}

export async function clearAll({ button, openScreen, user, page, expectNotification }: KeyboardTestContext): Promise<void> {
  await openScreen('Dashboard', 'Instagram Auto-Poster Dashboard');
  await user.press(button('Clear All Data'));
  await user.answerDialog('Cancel');
  await user.expectFocusOn(button('Clear All Data'));
  await user.pressKeys('Enter');
  await user.fill(page.getByRole('alertdialog').getByRole('textbox'), 'CLEAR');
  await user.answerDialog('Clear All Data');
  await expectNotification(/^All data cleared/);
  await page.getByText('No files ready for DMCA protection').waitFor();
}

export async function signOut({ user, page }: KeyboardTestContext): Promise<void> {
  await user.press(page.getByRole('complementary').getByRole('button', { name: 'Logout' }));
  await page.getByRole('button', { name: 'Sign in with Google' }).waitFor();
}
