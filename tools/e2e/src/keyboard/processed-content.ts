import type { Locator } from 'playwright-core';
import type { KeyboardTestContext } from './keyboard-test-context';

const CAPTION = 'Written without a mouse';

const ready = ({ page }: KeyboardTestContext): Locator =>
  page.getByRole('article').filter({ has: page.getByRole('button', { name: 'Add to Queue' }) });

export async function editCaption(context: KeyboardTestContext): Promise<void> {
  const { dialog, openScreen, user, page, closeDialog, expectNotification } = context;
  await openScreen('Processed Content');
  await ready(context).first().waitFor();
  const card = page.getByRole('article', { name: (await ready(context).first().getAttribute('aria-label')) ?? '', exact: true });
  await user.press(card.getByRole('checkbox'), 'Space');
  await page.getByRole('region', { name: '1 selected' }).waitFor();
  await user.pressKeys('Escape');
  await page.getByRole('region', { name: '1 selected' }).waitFor({ state: 'detached' });
  await user.press(card.getByRole('button', { name: 'AI Analysis' }));
  await closeDialog(card.getByRole('button', { name: 'AI Analysis' }));
  await closeByBack(context, card.getByRole('button', { name: 'AI Analysis' }));
  await user.press(card.getByRole('button', { name: 'View Details' }));
  await user.press(dialog().getByRole('button', { name: 'Edit caption' }));
  await user.expectFocusOn(dialog().getByRole('textbox', { name: 'Caption' }));
  await user.pressKeys('Control+a');
  await page.keyboard.insertText(CAPTION);
  await user.pressKeys('Control+Enter');
  await expectNotification('Caption updated successfully!');
  await user.expectFocusOn(dialog().getByRole('button', { name: 'Edit caption' }));
  await closeDialog(card.getByRole('button', { name: 'View Details' }));
  await card.getByText(CAPTION).waitFor();
  await closeDetailsFromVideo(context);
}

/** The browser's Back closes the dialog, and the screen stays. */
async function closeByBack({ dialog, user, page }: KeyboardTestContext, opener: Locator): Promise<void> {
  await user.press(opener);
  await dialog().waitFor();
  await page.evaluate(() => window.history.back());
  await dialog().waitFor({ state: 'hidden' });
  await user.expectFocusOn(opener);
  await page.getByRole('heading', { level: 1, name: 'Processed Content' }).waitFor();
  expect(new URL(page.url()).pathname).toBe('/admin/processed');
}

/** Escape must close the dialog while a video control has the focus. */
async function closeDetailsFromVideo(context: KeyboardTestContext): Promise<void> {
  const { dialog, user, page, closeDialog } = context;
  const details = ready(context)
    .filter({ has: page.locator('video') })
    .first()
    .getByRole('button', { name: 'View Details' });
  await user.press(details);
  await user.press(dialog().getByRole('button', { name: 'Sound' }));
  await closeDialog(details);
}

export async function browseReels(context: KeyboardTestContext): Promise<void> {
  const { dialog, openScreen, group, user, page, expectNotification } = context;
  await openScreen('Processed Content');
  await ready(context).first().waitFor();
  await user.selectInGroup(group('View'), 'Reels');
  await page.waitForURL(/view=reels/);
  await user.expectFocusWithin(dialog());
  const position = dialog()
    .getByRole('status')
    .filter({ hasText: /^\d+ \/ \d+$/ });
  const all = Number((await position.innerText()).split(' / ')[1]);
  expect(all).toBeGreaterThan(1);
  for (const [key, to] of [
    ['ArrowDown', 2],
    ['ArrowUp', 1],
  ] as const) {
    await user.pressKeys(key);
    await position.filter({ hasText: `${to} / ${all}` }).waitFor();
  }
  for (let at = 1; !(await dialog().getByText(CAPTION).isVisible()) && at < all; at += 1) {
    await user.pressKeys('ArrowDown');
    await position.filter({ hasText: `${at + 1} / ${all}` }).waitFor();
  }
  await user.pressKeys('m');
  await dialog().getByRole('button', { name: 'Sound', pressed: true }).waitFor();
  await user.pressKeys('a');
  await expectNotification('Added to the Instagram queue');
  await dialog().getByText(CAPTION).waitFor({ state: 'detached' });
  await user.pressKeys('Escape');
  await dialog().waitFor({ state: 'hidden' });
  await user.expectFocus();
}
