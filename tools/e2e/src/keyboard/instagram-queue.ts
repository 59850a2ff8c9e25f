import type { Locator } from 'playwright-core';
import { type Desk, PATIENCE_MS } from './desk';

/** The posts that wait, as long as nothing is posted meanwhile. */
const waiting = ({ page }: Desk): Locator => page.getByRole('row').filter({ has: page.getByRole('button', { name: 'Remove' }) });

const titleIn = async (row: Locator): Promise<string> => {
  const label = await row.getByRole('spinbutton').getAttribute('aria-label', { timeout: PATIENCE_MS });
  return (label ?? '').replace('Priority of ', '');
};

/** Stops the queue, so that what waits in it goes on waiting. */
export async function stopQueue({ button, go, hands }: Desk): Promise<void> {
  await go('Instagram Queue');
  await hands.press(button('Stop Queue'));
  await hands.at(button('Start Queue'));
}

/** Changes priority and order, takes posts out and the last of them back in; the others are among the processed ones then. */
export async function workOnQueue(desk: Desk): Promise<void> {
  const { go, hands, list, page, shut, told } = desk;
  await go('Instagram Queue');
  await waiting(desk).nth(3).waitFor({ timeout: PATIENCE_MS });
  const [first, second, ...more] = await Promise.all([0, 1, 2, 3].map((place) => titleIn(waiting(desk).nth(place))));
  const row = (title = '') => waiting(desk).filter({ hasText: title });
  await hands.fill(row(second).getByRole('spinbutton'), '9');
  await hands.key('Enter');
  await told(`${second} has priority 9 now`);
  await hands.somewhere();
  await hands.choose(list('Sort by'), 'Priority');
  await hands.choose(list('Order'), 'Descending');
  await page
    .getByRole('row')
    .nth(1)
    .filter({ hasText: second ?? '' })
    .waitFor();
  await hands.press(row(second).getByRole('button', { name: 'Move to…' }));
  await shut(row(second).getByRole('button', { name: 'Move to…' }));
  for (const title of [...more, first]) {
    await hands.press(row(title).getByRole('button', { name: 'Remove' }));
    await told(`${title} was taken out of the queue`);
    await row(title).waitFor({ state: 'detached' });
    await hands.somewhere();
  }
  await hands.key('Control+z');
  await told(`Undone: ${first} was taken out of the queue`);
  await row(first).waitFor();
}

/** Moves a post with arrow keys, opens it, asks why it has its time. */
export async function moveInCalendar({ button, go, group, hands, page, shut }: Desk): Promise<void> {
  await go('Instagram Queue');
  const title = (
    await titleIn(
      page
        .getByRole('row')
        .filter({ has: page.getByRole('button', { name: 'Move to…' }) })
        .first(),
    )
  ).slice(0, 20);
  await hands.pick(group('View'), 'Week');
  const calendar = group('Queue calendar');
  const chip = calendar.getByRole('button', { name: title });
  await chip.or(button('Next week')).first().waitFor();
  if ((await chip.count()) === 0) await hands.press(button('Next week'));
  const before = (await chip.first().getAttribute('aria-label')) ?? '';
  await hands.press(chip, 'Space');
  await hands.within(calendar);
  await hands.key('ArrowDown', 'ArrowDown', 'Enter');
  const undo = page.getByRole('button', { name: 'Undo' });
  await page.getByRole('status').filter({ hasText: ' moved to ', has: undo }).first().waitFor();
  await calendar.getByRole('button', { name: before, exact: true }).waitFor({ state: 'detached' });
  await hands.at(chip);
  await hands.key('Enter');
  await shut(chip);
  await hands.press(button('Next week'));
  await hands.at(button('Next week'));
  await hands.pick(group('View'), 'Month');
  await page.waitForURL(/view=month/);
  await hands.pick(group('View'), 'List');
  await hands.press(button('Why this time?'));
  await page.getByRole('button', { name: 'Why this time?', expanded: true }).waitFor();
}

/** Sets the interval, blocked hours and the random delay, and lets the queue go on. */
export async function setQueue({ box, button, hands, page }: Desk): Promise<void> {
  const save = async (name: string, address: string) => {
    const answer = page.waitForResponse((each) => each.url().endsWith(address) && each.request().method() === 'PUT');
    await hands.press(button(name));
    expect((await answer).status()).toBe(200);
    await hands.somewhere();
  };
  await hands.press(button('Settings'));
  await hands.fill(box('Posting interval (minutes)'), '90');
  await save('Save', '/interval');
  await page.getByText('90 minutes', { exact: true }).waitFor();
  await hands.press(box('Block posting during certain hours'), 'Space');
  for (const [name, hour] of [
    ['From', '03'],
    ['To', '04'],
  ] as const) {
    await hands.reach(box(name));
    await page.keyboard.type(`${hour}00AM`);
    expect(await box(name).inputValue()).toBe(`${hour}:00`);
  }
  await save('Save Time Settings', '/time-blocking');
  await hands.press(box('Add a random delay'), 'Space');
  await save('Save Randomization', '/randomization');
  await hands.press(button('Start Queue'));
  await hands.at(button('Stop Queue'));
}
