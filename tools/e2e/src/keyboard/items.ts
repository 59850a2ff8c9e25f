import { seedSkippedPosts } from '../seed';
import type { KeyboardTestContext } from './keyboard-test-context';

export async function addLinks({ labelled, openScreen, group, user, page, control }: KeyboardTestContext): Promise<void> {
  const [other, ...posts] = await Promise.all(['silent', 'portrait', 'garbage'].map((key) => control.post(key)));
  await openScreen('URL Manager');
  const links = labelled('Post URLs, one per line');
  await user.fill(links, [other, ...posts].map((post) => post?.permalink).join('\n'));
  await user.press(links, 'Control+Enter');
  await page.getByText('Successfully processed 3 URL(s)').waitFor();
  await user.expectFocus();
  await user.selectInGroup(group('Status'), /^All \d/);
  const find = async () => {
    await user.fill(page.getByRole('main').getByRole('searchbox'), other?.title ?? '');
    await page.waitForURL(/search=/);
  };
  await find();
  const row = page.getByRole('article').filter({ hasText: other?.title ?? '' });
  await row.getByText('Downloaded').waitFor();
  await user.press(row.getByRole('link', { name: 'Timeline' }));
  await user.expectFocusWithin(page.getByRole('heading', { level: 1, name: other?.title ?? '' }));
  await openScreen('URL Manager');
  await find();
  await user.press(row.getByRole('button', { name: /^Delete/ }));
  await user.answerDialog('Cancel');
  await user.expectFocusOn(row.getByRole('button', { name: /^Delete/ }));
  await user.pressKeys('Enter');
  await user.answerDialog('Delete');
  await row.waitFor({ state: 'detached' });
  await user.expectFocus();
}

async function processOne({ button, openScreen, user }: KeyboardTestContext, name: string): Promise<void> {
  await openScreen('Dashboard', 'Instagram Auto-Poster Dashboard');
  await button(name).first().waitFor();
  await user.press(button(name));
  await user.expectFocus();
}

export async function processDmca(context: KeyboardTestContext): Promise<void> {
  const { button, user } = context;
  await processOne(context, 'PROCESS DMCA');
  await user.press(button('Refresh DMCA Data'));
  await user.expectFocusOn(button('Refresh DMCA Data'));
}

export const processAi = (context: KeyboardTestContext): Promise<void> => processOne(context, 'PROCESS AI');

export async function filterSkippedPosts({ button, group, user, combobox, page, product }: KeyboardTestContext): Promise<void> {
  await seedSkippedPosts(product.state.databaseUrl, 120);
  await user.pressKeys('g', 's');
  await user.expectFocusWithin(page.getByRole('heading', { level: 1, name: 'Skipped Posts' }));
  await user.press(button('Show Filters'));
  await user.selectOption(combobox('Order'), 'Ascending');
  await page.waitForURL(/sortOrder=asc/);
  await user.selectInGroup(group('Time span'), '7 d');
  await page.waitForURL(/dateFrom=/);
  await user.press(button('Clear Filters'));
  await page.waitForURL((url) => url.search === '');
  await user.press(button('Next'));
  await page.getByText(/^Page 2 of 3/).waitFor();
  await user.expectFocus();
  await user.press(button('Page 1'));
  await page.getByText(/^Page 1 of 3/).waitFor();
  await user.press(button(/^Score too low \d/), 'Space');
  await page.getByRole('button', { name: /^Score too low/, pressed: true }).waitFor();
  await user.pressKeys('Space');
  await page.waitForURL((url) => url.search === '');
}

export async function replayDeadLetter({ openScreen, user, combobox, page, expectNotification }: KeyboardTestContext): Promise<void> {
  await openScreen('Pipeline');
  const replay = page.getByRole('main').getByRole('button', { name: /^Replay: / });
  // what loads above the list moves it below the window, with the control that has the focus
  await replay.first().waitFor();
  for (const stage of ['DMCA', 'All stages']) await user.selectOption(combobox('Stage'), stage);
  await replay.first().waitFor();
  await user.press(replay);
  await expectNotification(/^Replayed: /);
  await user.expectFocus();
}
