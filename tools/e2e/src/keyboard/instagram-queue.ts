import type { Locator } from 'playwright-core';
import type { KeyboardTestContext } from './keyboard-test-context';

/** Rows of waiting items. The queue is stopped, so that they stay. */
const waiting = ({ page }: KeyboardTestContext): Locator =>
  page.getByRole('row').filter({ has: page.getByRole('button', { name: 'Remove' }) });

const titleIn = async (row: Locator): Promise<string> => {
  const label = await row.getByRole('spinbutton').getAttribute('aria-label');
  return (label ?? '').replace('Priority of ', '');
};

export async function stopQueue({ button, openScreen, user }: KeyboardTestContext): Promise<void> {
  await openScreen('Instagram Queue');
  await user.press(button('Stop Queue'));
  await user.expectFocusOn(button('Start Queue'));
}

/** The removed items are used by the tests of Processed Content. */
export async function changeQueue(context: KeyboardTestContext): Promise<void> {
  const { openScreen, user, combobox, page, closeDialog, expectNotification } = context;
  await openScreen('Instagram Queue');
  await waiting(context).nth(3).waitFor();
  const [first, second, ...more] = await Promise.all([0, 1, 2, 3].map((index) => titleIn(waiting(context).nth(index))));
  const row = (title = '') => waiting(context).filter({ hasText: title });
  await user.fill(row(second).getByRole('spinbutton'), '9');
  await user.pressKeys('Enter');
  await expectNotification(`Priority of ${second} set to 9`);
  await user.expectFocus();
  await user.selectOption(combobox('Sort by'), 'Priority');
  await user.selectOption(combobox('Order'), 'Descending');
  await page
    .getByRole('row')
    .nth(1)
    .filter({ hasText: second ?? '' })
    .waitFor();
  await user.press(row(second).getByRole('button', { name: 'Move to…' }));
  await closeDialog(row(second).getByRole('button', { name: 'Move to…' }));
  for (const title of [...more, first]) {
    await user.press(row(title).getByRole('button', { name: 'Remove' }));
    await expectNotification(`${title} was removed from the queue`);
    await row(title).waitFor({ state: 'detached' });
    await user.expectFocus();
  }
  await user.pressKeys('Control+z');
  await expectNotification(`Undone: ${first} was removed from the queue`);
  await row(first).waitFor();
}

export async function moveItemInCalendar({ button, openScreen, group, user, page, closeDialog }: KeyboardTestContext): Promise<void> {
  await openScreen('Instagram Queue');
  const title = (
    await titleIn(
      page
        .getByRole('row')
        .filter({ has: page.getByRole('button', { name: 'Move to…' }) })
        .first(),
    )
  ).slice(0, 20);
  await user.selectInGroup(group('View'), 'Week');
  const calendar = group('Queue calendar');
  const chip = calendar.getByRole('button', { name: title });
  await chip.or(button('Next week')).first().waitFor();
  if ((await chip.count()) === 0) await user.press(button('Next week'));
  const before = (await chip.first().getAttribute('aria-label')) ?? '';
  await user.press(chip, 'Space');
  await user.expectFocusWithin(calendar);
  await user.pressKeys('ArrowDown', 'ArrowDown', 'Enter');
  const undo = page.getByRole('button', { name: 'Undo' });
  await page.getByRole('status').filter({ hasText: ' moved to ', has: undo }).first().waitFor();
  await calendar.getByRole('button', { name: before, exact: true }).waitFor({ state: 'detached' });
  await user.expectFocusOn(chip);
  await user.pressKeys('Enter');
  await closeDialog(chip);
  await user.press(button('Next week'));
  await user.expectFocusOn(button('Next week'));
  await user.selectInGroup(group('View'), 'Month');
  await page.waitForURL(/view=month/);
  await user.selectInGroup(group('View'), 'List');
  await user.press(button('Why this time?'));
  await page.getByRole('button', { name: 'Why this time?', expanded: true }).waitFor();
}

export async function configureQueue({ labelled, button, user, page }: KeyboardTestContext): Promise<void> {
  const save = async (name: string, address: string) => {
    const response = page.waitForResponse((each) => each.url().endsWith(address) && each.request().method() === 'PUT');
    await user.press(button(name));
    expect((await response).status()).toBe(200);
    await user.expectFocus();
  };
  await user.press(button('Settings'));
  await user.fill(labelled('Posting interval (minutes)'), '90');
  await save('Save', '/interval');
  await page.getByText('90 minutes', { exact: true }).waitFor();
  await user.press(labelled('Block posting during certain hours'), 'Space');
  for (const [name, hour] of [
    ['From', '03'],
    ['To', '04'],
  ] as const) {
    await user.tabTo(labelled(name));
    await page.keyboard.type(`${hour}00AM`);
    expect(await labelled(name).inputValue()).toBe(`${hour}:00`);
  }
  await save('Save Time Settings', '/time-blocking');
  await user.press(labelled('Add a random delay'), 'Space');
  await save('Save Randomization', '/randomization');
  await user.press(button('Start Queue'));
  await user.expectFocusOn(button('Stop Queue'));
}
