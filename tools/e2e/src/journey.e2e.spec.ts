import path from 'node:path';
import type { Page } from 'playwright-core';
import { type BrowserSession, openBrowser, SHORT_FEEDS, signIn, TIMEOUT_MS } from './browser';
import { addLinks, itemRow, journeySteps, openScreen } from './journey';
import { pollUntil, RunningProduct, SimulatorControl } from '@autoposter/testkit';

/** The first session of a new administrator. Each step builds on the ones before it. */
const FOLDER = path.resolve(__dirname, '../../../.autoposter/test/journey');
/** Posts of the simulated Reddit that are queued, by their keys. */
const REEL = 'square';
const PICTURES = ['image', 'webp'];

let product: RunningProduct;
let control: SimulatorControl;
let browser: BrowserSession;
let page: Page;
const step = journeySteps(FOLDER, () => ({ product, page }));

beforeAll(async () => {
  product = await RunningProduct.start(FOLDER, { ...process.env, PORT: '' }, SHORT_FEEDS);
  control = new SimulatorControl(product.state.addresses.control ?? '');
  browser = await openBrowser(process.env.CHROME_PATH);
  page = browser.page;
  // painting the animations of running items takes a quarter of the CPU time of the browser
  await page.emulateMedia({ reducedMotion: 'reduce' });
});

afterAll(async () => {
  await browser?.close();
  await product?.stop();
});

step('signs in with Google and sees the dashboard', async () => {
  await signIn(page, product.state.address);
  expect(page.url()).toBe(`${product.state.address}/admin`);
});

step('adds a subreddit and disables another one', async () => {
  await openScreen(page, 'Subreddit Manager');
  await page.getByText('r/oddlysatisfying').first().waitFor();
  await page.getByRole('button', { name: 'Add Subreddit' }).click();
  await page.getByLabel('Name').fill('EarthPorn');
  await page.getByLabel('Interval (minutes)').fill('1440');
  await page.getByLabel('Posts to fetch').fill('1');
  await page.getByRole('button', { name: 'Add Subreddit' }).last().click();
  await page.getByText('r/EarthPorn').first().waitFor();
  // before its first run, whose posts no step needs
  const unneeded = page.getByRole('article', { name: 'r/aww' });
  await unneeded.getByRole('button', { name: 'Disable' }).click();
  await unneeded.getByRole('button', { name: 'Enable' }).waitFor();
});

step('sees the first reel published, in the console and on Instagram', async () => {
  await openScreen(page, 'Instagram Queue');
  const posted = page.getByRole('row').filter({ has: page.getByText('Posted', { exact: true }) });
  await posted.first().waitFor();
  const published = await control.published();
  expect(published).toEqual([expect.objectContaining({ mediaProductType: 'REELS', caption: expect.stringContaining('#') })]);
  await openScreen(page, 'Processed Content');
  const card = page.getByRole('article').filter({ hasText: 'Posted' }).first();
  await card.waitFor();
  expect(await card.getByRole('button', { name: 'Post Now' }).count()).toBe(0);
});

step('adds a link and sees its download without a reload', async () => {
  const post = await control.post('portrait');
  await addLinks(page, [post.permalink], { complete: false });
  await itemRow(page, post.permalink).getByText('Downloaded').waitFor();
});

step('runs DMCA protection and captioning manually', async () => {
  await page.getByRole('link', { name: 'Dashboard' }).click();
  await page.getByRole('button', { name: 'PROCESS DMCA' }).first().click();
  await page.getByRole('button', { name: 'PROCESS AI' }).first().click();
  await openScreen(page, 'Processed Content');
  const ready = page.getByRole('article').filter({ has: page.getByRole('button', { name: 'Post Now' }) });
  await ready.first().waitFor();
  expect(await ready.first().innerText()).toMatch(/AI Complete[\s\S]*\+\d+ more/);
});

step('sends a reel and two pictures through the complete pipeline into the queue', async () => {
  const posts = await Promise.all([REEL, ...PICTURES].map((key) => control.post(key)));
  const links = posts.map(({ permalink }) => permalink);
  await addLinks(page, links, { complete: true });
  await openScreen(page, 'Instagram Queue');
  for (const { title } of posts) await queued(title).waitFor();
});

step('sees the segments of a copyright match instead of a publication', async () => {
  const { title } = await control.post(REEL);
  await queued(title).getByRole('button', { name: 'Options' }).click();
  const options = page.getByRole('dialog', { name: 'Publish options' });
  await options.getByLabel('Collaborators').fill('@maple_static');
  await options.getByLabel('First comment').fill('What do you think?');
  await options.getByLabel('Cover from the video').fill('2');
  await options.getByRole('button', { name: 'Save options' }).click();
  await page.getByText('The publish options were saved').waitFor();
  const before = await control.published();
  await control.addFault('instagram-copyright-match');
  await postNow(title);
  await queued(title)
    .getByText(/"A protected song" by Example Records \(audio 0:00–0:04/)
    .waitFor();
  expect(await control.published()).toEqual(before);
  await control.clearFaults();
});

step('publishes the reel with the chosen cover and collaborator', async () => {
  const { title } = await control.post(REEL);
  await queued(title).getByRole('button', { name: 'Retry' }).click();
  await postNow(title);
  await queued(title).getByText('Posted', { exact: true }).waitFor();
  const [newest] = await control.published();
  expect(newest).toMatchObject({
    caption: expect.stringContaining(title),
    options: { thumb_offset: '2000', collaborators: '["maple_static"]' },
  });
});

step('sees what Instagram offers with each login', async () => {
  await openScreen(page, 'Settings');
  const offered = page.getByRole('region', { name: 'Capabilities by login' });
  const audio = offered.getByRole('row').filter({ hasText: 'Licensed audio' });
  await audio.waitFor();
  expect(await audio.getByRole('cell').allInnerTexts()).toEqual([
    'Licensed audio',
    'reels',
    expect.stringMatching(/Facebook Login/),
    'Available',
  ]);
});

step('connects a second account through the login of Instagram and sees its queue', async () => {
  await openScreen(page, 'Settings');
  await page.getByRole('button', { name: 'Connect with Instagram Login' }).click();
  await page.getByRole('link', { name: /@autoposter\.second/ }).click();
  const account = page.getByRole('row').filter({ hasText: '@autoposter.second' });
  await account.getByText('Ready').waitFor();
  await openScreen(page, 'Instagram Queue');
  const choose = async (name: string) => {
    await page.getByRole('combobox', { name: 'Account' }).click();
    await page.getByRole('option', { name }).click();
  };
  await choose('@autoposter.second');
  await page.getByText('No posts in queue.').waitFor();
  await choose('@autoposter.demo');
  await page.getByRole('row').filter({ hasText: 'Posted' }).first().waitFor();
});

step('sees why an item failed and why posts were skipped', async () => {
  const post = await control.post('garbage');
  await addLinks(page, [post.permalink], { complete: false });
  const problem = itemRow(page, post.permalink).getByLabel('Processing errors');
  await problem.waitFor();
  expect(await problem.innerText()).toMatch(/^(download|dmca): \S.{10,}/);
  await openScreen(page, 'Skipped Posts');
  const skipped = page.getByRole('row').filter({ hasText: 'Content type not allowed' });
  await skipped.first().waitFor();
  expect(await skipped.first().innerText()).toMatch(/switched off for this subreddit|no picture or video/);
});

// written within half a minute after the publication, or two minutes after a pause during which it was due
step('writes the chosen first comment below the published reel', async () => {
  const { title } = await control.post(REEL);
  const comments = await pollUntil(async () => {
    const reel = (await control.published()).find(({ caption }) => caption?.includes(title));
    return reel !== undefined && reel.comments.length > 0 && reel.comments;
  }, TIMEOUT_MS);
  expect(comments).toEqual(['What do you think?']);
});

step('sees why publishing stopped after two equal refusals, and retries both posts by their cause', async () => {
  const pictures = await Promise.all(PICTURES.map((key) => control.post(key)));
  await openScreen(page, 'Instagram Queue');
  await control.addFault(REFUSED_RATIO);
  for (const { title } of pictures) {
    await queued(title).waitFor();
    await postNow(title);
    await queued(title).getByText('Failed', { exact: true }).waitFor();
  }
  await page
    .getByText(/Publishing is paused\. Instagram refused 2 posts in a row for the same reason: The picture is too tall or too wide/)
    .waitFor();
  await control.clearFaults();
  await page.getByRole('button', { name: 'Resume publishing' }).click();
  await page.getByRole('alertdialog', { name: 'Resume publishing?' }).getByRole('button', { name: 'Resume publishing' }).click();
  await page.getByRole('button', { name: 'Retry all 2' }).click();
  await page.getByText('2 posts queued again').waitFor();
  for (const { title } of pictures) {
    await postNow(title);
    await queued(title).getByText('Posted', { exact: true }).waitFor();
  }
});

it('causes no page error and no request to another host', () => {
  expect(browser.externalRequests).toEqual([]);
  expect(browser.pageErrors).toEqual([]);
});

it('stops all processes on SIGINT', async () => {
  expect(await product.stop()).toEqual({ code: 0, running: [] });
});

/** The row of a post in the queue. */
const queued = (title: string) => page.getByRole('row').filter({ has: page.getByText(title, { exact: true }) });

async function postNow(title: string): Promise<void> {
  await queued(title).getByRole('button', { name: 'Post Now' }).click();
  await page.getByRole('alertdialog', { name: 'Post this now?' }).getByRole('button', { name: 'Post Now' }).click();
}

/** Instagram's refusal of a picture for its ratio, for each new container. */
const REFUSED_RATIO = {
  match: { system: 'instagram-graph', method: 'POST', path: '^/(?:v[\\d.]+/)?\\d+/media(?:\\?|$)' },
  status: 400,
  body: { error: { message: 'The image aspect ratio is not supported.', type: 'OAuthException', code: 36003, error_subcode: 2207009 } },
};
