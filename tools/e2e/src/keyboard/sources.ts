import type { Desk } from './desk';

/** Adds a subreddit, changes where its posts stop, runs it, stops the clock, deletes it. */
export async function workOnSubreddits({ button, field, go, hands, page, told }: Desk): Promise<void> {
  await go('Subreddit Manager');
  await hands.press(button('Add Subreddit'));
  await hands.at(field('Name'));
  await page.keyboard.insertText('EarthPorn');
  await hands.fill(page.getByRole('spinbutton', { name: 'Interval (minutes)' }), '1440');
  await hands.fill(page.getByRole('spinbutton', { name: 'Posts to fetch' }), '1');
  await hands.choose(page.locator('form').getByRole('combobox', { name: 'Auto-processing stage' }), 'Auto DMCA and AI, stop at processed');
  await hands.press(page.getByRole('main').getByRole('checkbox', { name: 'Allow images' }), 'Space');
  await hands.press(field('Name'), 'Enter');
  const card = page.getByRole('article', { name: 'r/EarthPorn' });
  await card.waitFor();
  await hands.somewhere();
  await hands.choose(card.getByRole('combobox', { name: 'Auto-processing stage' }), 'Stop at DMCA');
  await told('r/EarthPorn: Stop at DMCA');
  await hands.press(card.getByRole('button', { name: 'Run Now' }));
  await hands.somewhere();
  await hands.press(card.getByRole('button', { name: 'Disable' }));
  await card.getByRole('button', { name: 'Enable' }).waitFor();
  await hands.at(card.getByRole('button', { name: 'Enable' }));
  await hands.press(button('Stop Scheduler'));
  await hands.at(button('Start Scheduler'));
  await hands.key('Enter');
  await hands.at(button('Stop Scheduler'));
  await hands.press(card.getByRole('button', { name: 'Delete' }));
  await hands.answer('Delete');
  await card.waitFor({ state: 'detached' });
  await hands.somewhere();
}

/** Opens a task, stops and starts. */
export async function workOnTasks({ button, go, hands, shut, told }: Desk): Promise<void> {
  await go('Scheduler Manager');
  const task = button(/send-alerts/);
  await hands.press(task);
  await shut(task);
  await hands.press(button('Stop Scheduler'));
  await told('Scheduler stopped successfully');
  await hands.at(button('Start Scheduler'));
  await hands.key('Enter');
  await told('Scheduler started successfully');
  await hands.at(button('Stop Scheduler'));
}

/** Claims a work, withdraws the claim. */
export async function workOnRights({ box, button, field, go, group, hands, page }: Desk): Promise<void> {
  await go('Rights Register');
  await hands.press(button('Add Claim'));
  await hands.fill(field('Title of the work'), 'A photograph');
  await hands.fill(field('Who claims it'), 'Its photographer');
  await hands.pick(group('Recognise it by'), 'A file');
  await hands.fill(box('SHA-256 of the file'), 'ab'.repeat(32));
  await hands.press(button('Put on the register'));
  const claim = page.getByRole('article', { name: 'A photograph' });
  await claim.waitFor();
  await hands.somewhere();
  await hands.press(claim.getByRole('button', { name: 'Withdraw' }));
  await hands.answer('Withdraw');
  await claim.getByText('Withdrawn').waitFor();
  await hands.somewhere();
}
