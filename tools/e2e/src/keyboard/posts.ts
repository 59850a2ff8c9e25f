import { makeManySkippedPosts } from '../many-posts';
import { type Desk, PATIENCE_MS } from './desk';

/** Pastes links, sees what becomes of them, deletes one. */
export async function pasteLinks({ box, go, group, hands, page, world }: Desk): Promise<void> {
  const [other, ...posts] = await Promise.all(['silent', 'portrait', 'garbage'].map((key) => world.post(key)));
  await go('URL Manager');
  const links = box('Post URLs, one per line');
  await hands.fill(links, [other, ...posts].map((post) => post?.permalink).join('\n'));
  await hands.press(links, 'Control+Enter');
  await page.getByText('Successfully processed 3 URL(s)').waitFor({ timeout: PATIENCE_MS });
  await hands.somewhere();
  await hands.pick(group('Status'), /^All \d/);
  const find = async () => {
    await hands.fill(page.getByRole('main').getByRole('searchbox'), other?.title ?? '');
    await page.waitForURL(/search=/);
  };
  await find();
  const row = page.getByRole('article').filter({ hasText: other?.title ?? '' });
  await row.getByText('Downloaded').waitFor({ timeout: PATIENCE_MS });
  await hands.press(row.getByRole('link', { name: 'Timeline' }));
  await hands.within(page.getByRole('heading', { level: 1, name: other?.title ?? '' }));
  await go('URL Manager');
  await find();
  await hands.press(row.getByRole('button', { name: /^Delete/ }));
  await hands.answer('Cancel');
  await hands.at(row.getByRole('button', { name: /^Delete/ }));
  await hands.key('Enter');
  await hands.answer('Delete');
  await row.waitFor({ state: 'detached' });
  await hands.somewhere();
}

/** Has the first post at the door of a stage processed. */
async function processOne({ button, go, hands }: Desk, name: string): Promise<void> {
  await go('Dashboard', 'Instagram Auto-Poster Dashboard');
  await button(name).first().waitFor({ timeout: PATIENCE_MS });
  await hands.press(button(name));
  await hands.somewhere();
}

/** Runs the next step of a post, and reads anew what waits for it. */
export async function protectOne(desk: Desk): Promise<void> {
  const { button, hands } = desk;
  await processOne(desk, 'PROCESS DMCA');
  await hands.press(button('Refresh DMCA Data'));
  await hands.at(button('Refresh DMCA Data'));
}

/** Has a caption written. */
export const captionOne = (desk: Desk): Promise<void> => processOne(desk, 'PROCESS AI');

/** Filters what was skipped, and reads on. */
export async function readSkipped({ button, group, hands, list, page, product }: Desk): Promise<void> {
  await makeManySkippedPosts(product.state.databaseUrl, 120);
  await hands.key('g', 's');
  await hands.within(page.getByRole('heading', { level: 1, name: 'Skipped Posts' }));
  await hands.press(button('Show Filters'));
  await hands.choose(list('Order'), 'Ascending');
  await page.waitForURL(/sortOrder=asc/);
  await hands.pick(group('Time span'), '7 d');
  await page.waitForURL(/dateFrom=/);
  await hands.press(button('Clear Filters'));
  await page.waitForURL((url) => url.search === '');
  await hands.press(button('Next'));
  await page.getByText(/^Page 2 of 3/).waitFor();
  await hands.somewhere();
  await hands.press(button('Page 1'));
  await page.getByText(/^Page 1 of 3/).waitFor();
  await hands.press(button(/^Score too low \d/), 'Space');
  await page.getByRole('button', { name: /^Score too low/, pressed: true }).waitFor();
  await hands.key('Space');
  await page.waitForURL((url) => url.search === '');
}
