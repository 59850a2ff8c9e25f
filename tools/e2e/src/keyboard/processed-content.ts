import type { Locator } from 'playwright-core';
import { type Desk, PATIENCE_MS } from './desk';

const CAPTION = 'Written without a mouse';

/** The posts that can be queued. */
const ready = ({ page }: Desk): Locator => page.getByRole('article').filter({ has: page.getByRole('button', { name: 'Add to Queue' }) });

/** Selects a post, reads about it, writes its caption anew. */
export async function workOnProcessed(desk: Desk): Promise<void> {
  const { dialog, go, hands, page, shut, told } = desk;
  await go('Processed Content');
  await ready(desk).first().waitFor({ timeout: PATIENCE_MS });
  const card = page.getByRole('article', { name: (await ready(desk).first().getAttribute('aria-label')) ?? '', exact: true });
  await hands.press(card.getByRole('checkbox'), 'Space');
  await page.getByRole('region', { name: '1 selected' }).waitFor();
  await hands.key('Escape');
  await page.getByRole('region', { name: '1 selected' }).waitFor({ state: 'detached' });
  await hands.press(card.getByRole('button', { name: 'AI Analysis' }));
  await shut(card.getByRole('button', { name: 'AI Analysis' }));
  await hands.press(card.getByRole('button', { name: 'View Details' }));
  await hands.press(dialog().getByRole('button', { name: 'Edit caption' }));
  await hands.at(dialog().getByRole('textbox', { name: 'Caption' }));
  await hands.key('Control+a');
  await page.keyboard.insertText(CAPTION);
  await hands.key('Control+Enter');
  await told('Caption updated successfully!');
  await hands.at(dialog().getByRole('button', { name: 'Edit caption' }));
  await shut(card.getByRole('button', { name: 'View Details' }));
  await card.getByText(CAPTION).waitFor();
  await closeDetailsFromVideo(desk);
}

/** Escape closes the details though the focus is on a control of the video. */
async function closeDetailsFromVideo(desk: Desk): Promise<void> {
  const { dialog, hands, page, shut } = desk;
  const details = ready(desk)
    .filter({ has: page.locator('video') })
    .first()
    .getByRole('button', { name: 'View Details' });
  await hands.press(details);
  await hands.press(dialog().getByRole('button', { name: 'Sound' }));
  await shut(details);
}

/** Goes through the posts one by one with the arrow keys, queues the one with the new caption. */
export async function goThroughReels(desk: Desk): Promise<void> {
  const { dialog, go, group, hands, page, told } = desk;
  await go('Processed Content');
  await ready(desk).first().waitFor();
  await hands.pick(group('View'), 'Reels');
  await page.waitForURL(/view=reels/);
  await hands.within(dialog());
  const place = dialog()
    .getByRole('status')
    .filter({ hasText: /^\d+ \/ \d+$/ });
  const all = Number((await place.innerText()).split(' / ')[1]);
  expect(all).toBeGreaterThan(1);
  for (const [key, to] of [
    ['ArrowDown', 2],
    ['ArrowUp', 1],
  ] as const) {
    await hands.key(key);
    await place.filter({ hasText: `${to} / ${all}` }).waitFor();
  }
  for (let at = 1; !(await dialog().getByText(CAPTION).isVisible()) && at < all; at += 1) {
    await hands.key('ArrowDown');
    await place.filter({ hasText: `${at + 1} / ${all}` }).waitFor();
  }
  await hands.key('m');
  await dialog().getByRole('button', { name: 'Sound', pressed: true }).waitFor();
  await hands.key('a');
  await told('Added to the Instagram queue');
  await dialog().getByText(CAPTION).waitFor({ state: 'detached' });
  await hands.key('Escape');
  await dialog().waitFor({ state: 'hidden' });
  await hands.somewhere();
}
