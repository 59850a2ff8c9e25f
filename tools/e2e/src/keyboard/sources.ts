import type { KeyboardTestContext } from './keyboard-test-context';

export async function manageSubreddit({ button, textbox, openScreen, user, page, expectNotification }: KeyboardTestContext): Promise<void> {
  await openScreen('Subreddit Manager');
  await user.press(button('Add Subreddit'));
  await user.expectFocusOn(textbox('Name'));
  await page.keyboard.insertText('EarthPorn');
  await user.fill(page.getByRole('spinbutton', { name: 'Interval (minutes)' }), '1440');
  await user.fill(page.getByRole('spinbutton', { name: 'Posts to fetch' }), '1');
  await user.selectOption(
    page.locator('form').getByRole('combobox', { name: 'Auto-processing stage' }),
    'Auto DMCA and AI, stop at processed',
  );
  await user.press(page.getByRole('main').getByRole('checkbox', { name: 'Allow images' }), 'Space');
  await user.press(textbox('Name'), 'Enter');
  const card = page.getByRole('article', { name: 'r/EarthPorn' });
  await card.waitFor();
  await user.expectFocus();
  await user.selectOption(card.getByRole('combobox', { name: 'Auto-processing stage' }), 'Stop at DMCA');
  await expectNotification('r/EarthPorn: Stop at DMCA');
  await user.press(card.getByRole('button', { name: 'Run Now' }));
  await user.expectFocus();
  await user.press(card.getByRole('button', { name: 'Disable' }));
  await card.getByRole('button', { name: 'Enable' }).waitFor();
  await user.expectFocusOn(card.getByRole('button', { name: 'Enable' }));
  await user.press(button('Stop Scheduler'));
  await user.expectFocusOn(button('Start Scheduler'));
  await user.pressKeys('Enter');
  await user.expectFocusOn(button('Stop Scheduler'));
  await user.press(card.getByRole('button', { name: 'Delete' }));
  await user.answerDialog('Delete');
  await card.waitFor({ state: 'detached' });
  await user.expectFocus();
}

export async function controlScheduler({ button, openScreen, user, closeDialog, expectNotification }: KeyboardTestContext): Promise<void> {
  await openScreen('Scheduler Manager');
  const task = button(/send-alerts/);
  await user.press(task);
  await closeDialog(task);
  await user.press(button('Stop Scheduler'));
  await expectNotification('Scheduler stopped successfully');
  await user.expectFocusOn(button('Start Scheduler'));
  await user.pressKeys('Enter');
  await expectNotification('Scheduler started successfully');
  await user.expectFocusOn(button('Stop Scheduler'));
}

export async function manageClaim({ button, textbox, openScreen, group, user, page, control }: KeyboardTestContext): Promise<void> {
  await openScreen('Rights Register');
  await user.press(button('Add Claim'));
  await user.fill(textbox('Title of the work'), 'A photograph');
  await user.fill(textbox('Claimant'), 'Its photographer');
  await user.selectInGroup(group('Identify by'), 'Address');
  await user.fill(textbox('Address of the work'), (await control.post('webp')).pictures[0] ?? '');
  await user.press(button('Add to register'));
  const claim = page.getByRole('article', { name: 'A photograph' });
  await claim.waitFor();
  await user.expectFocus();
  await user.press(claim.getByRole('button', { name: 'Withdraw' }));
  await user.answerDialog('Withdraw');
  await claim.getByText('Withdrawn').waitFor();
  await user.expectFocus();
}
