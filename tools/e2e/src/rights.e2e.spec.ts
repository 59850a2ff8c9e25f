import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { pollUntil, RunningProduct, SimulatorControl, type SimulatedPost } from '@autoposter/testkit';
import type { Locator, Page } from 'playwright-core';
import { type BrowserSession, openBrowser, SHORT_FEEDS, signIn, TIMEOUT_MS } from './browser';
import { addLinks, itemRow, journeySteps, openScreen } from './journey';

/** Rights safety as an administrator uses it. Each step builds on the ones before it. */
const FOLDER = path.resolve(__dirname, '../../../.autoposter/test/rights');
const VERIFY = path.resolve(__dirname, '../../evidence/verify.mjs');
const PICTURE = { type: 'image', width: 1080, height: 1350 } as const;

let product: RunningProduct;
let control: SimulatorControl;
let browser: BrowserSession;
let page: Page;
let lookAlike: SimulatedPost;
const step = journeySteps(FOLDER, () => ({ product, page }));

beforeAll(async () => {
  product = await RunningProduct.start(FOLDER, { ...process.env, PORT: '' }, SHORT_FEEDS);
  control = new SimulatorControl(product.state.addresses.control ?? '');
  browser = await openBrowser(process.env.CHROME_PATH);
  page = browser.page;
  await signIn(page, product.state.address);
});

afterAll(async () => {
  await browser?.close();
  await product?.stop();
});

step('blocks a copy of an uploaded work and shows both pictures', async () => {
  const post = await control.addPost('claims', { title: 'The lake at night', content: { ...PICTURE, scene: 'skyline' } });
  await claimWork('Lake and lights', { file: await changedPicture(post, 'scale=720:-2') });
  await addLinks(page, [post.permalink], { complete: true });
  await openView('Matches');
  const match = page.getByRole('article', { name: post.title });
  await match.waitFor();
  await match.getByText('Blocked').waitFor();
  expect(await match.innerText()).toMatch(/Claimed work: Lake and lights[\s\S]*\d+ of 256 bits differ[\s\S]*pixel correlation [01]\.\d\d/);
  await expectPictures(match, ['This post', 'Claimed work']);
});

step('fingerprints a work that it fetches from its address', async () => {
  const work = await control.addPost('photographers', { title: 'The shore', content: { ...PICTURE, scene: 'sea' } });
  await claimWork('Shore', { address: work.permalink });
  expect(await page.getByRole('article', { name: 'Shore' }).innerText()).toMatch(/[1-9]\d* fingerprints/);
});

step('releases an innocent look-alike with "Not the same"', async () => {
  lookAlike = await control.addPost('claims', { title: 'Valley at dawn', content: { ...PICTURE, scene: 'hills' } });
  const post = lookAlike;
  const other = 'drawbox=x=iw*0.44:y=ih*0.56:w=iw*0.28:h=ih*0.28:color=gray:t=fill';
  await claimWork('Valley with a barn', { file: await changedPicture(post, other) });
  await addLinks(page, [post.permalink], { complete: true });
  await openView('Matches');
  const match = page.getByRole('article', { name: post.title });
  await match.getByText('Needs review').waitFor();
  await expectPictures(match, ['This post', 'Claimed work']);
  await match.getByRole('button', { name: 'Not the same' }).click();
  await page.getByText('Released; this work no longer stops the post').waitFor();
  await match.waitFor({ state: 'detached' });
});

step('does not ask again when the look-alike is collected again', async () => {
  const post = lookAlike;
  await openScreen(page, 'URL Manager');
  await itemRow(page, post.permalink)
    .getByRole('button', { name: /^Delete/ })
    .click();
  await page
    .getByRole('alertdialog')
    .getByRole('button', { name: /^Delete/ })
    .click();
  await itemRow(page, post.permalink).waitFor({ state: 'detached' });
  await addLinks(page, [post.permalink], { complete: true });
  await itemRow(page, post.permalink)
    .getByRole('link', { name: /Timeline/ })
    .click();
  await page.getByText('Rights check: Clear').waitFor();
  await openView('Matches');
  await page.getByRole('article', { name: 'The lake at night' }).waitFor();
  expect(await page.getByRole('article', { name: post.title }).count()).toBe(0);
});

step('works a takedown notice about a published post from its arrival to its answer', async () => {
  const [published] = await pollUntil(async () => {
    const all = await control.published();
    return all.length > 0 && all;
  }, TIMEOUT_MS);
  const permalink = published?.permalink ?? '';
  await openView('Notices');
  await page.getByRole('button', { name: 'Record notice' }).click();
  await page.getByLabel('Claimant', { exact: false }).first().fill('North Light Pictures');
  for (const [label, text] of [
    ['Reference', 'NL-2026-17'],
    ['Contact of the claimant', 'law@northlight.example'],
    ['Claimed work', 'Calm machines'],
    ['Signature', 'N. Light'],
    ['Addresses of our posts, one per line', permalink],
  ] as const)
    await page.getByLabel(label, { exact: true }).fill(text);
  await page.getByLabel('States good-faith belief').check();
  await page.getByLabel('States accuracy').check();
  await page.getByRole('button', { name: 'Record and find posts' }).click();
  await page.getByRole('heading', { level: 2, name: 'Calm machines' }).waitFor();
  await page.getByText(/Remove by .+ · Answer by .+/).waitFor();
  const found = page.getByRole('region', { name: 'Posts' }).getByRole('article').first();
  await found.getByText('To remove').waitFor();
  expect(await found.getByRole('link', { name: 'Open on Instagram' }).getAttribute('href')).toBe(permalink);
  await found.getByRole('button', { name: 'Start removal' }).click();
  await found.getByText('Removed', { exact: true }).waitFor();
  expect((await control.published()).map((media) => media.permalink)).not.toContain(permalink);
  const answer = page.getByLabel('Answer', { exact: true });
  await page.waitForFunction(
    (address) => [...document.querySelectorAll('textarea')].some(({ value }) => value.includes(`- ${address}`)),
    permalink,
  );
  expect(await answer.inputValue()).toMatch(/^Dear North Light Pictures,[\s\S]*your notice NL-2026-17[\s\S]*We removed:\n- https/);
  await page.getByRole('button', { name: 'Record as sent' }).click();
  await page.getByText(/^Answered \d/).waitFor();
  await page.getByRole('button', { name: 'All notices' }).click();
  await page.getByRole('article', { name: 'Calm machines · NL-2026-17' }).getByText('Answered', { exact: true }).waitFor();
});

step('exports an evidence bundle that the script verifies, and rejects after a change', async () => {
  await openView('Matches');
  const match = page.getByRole('article', { name: 'The lake at night' });
  const [download] = await Promise.all([page.waitForEvent('download'), match.getByRole('button', { name: 'Export evidence' }).click()]);
  const said = await page.getByText(/^Evidence exported; signed with key/).innerText();
  const keyId = /[0-9a-f]{64}/.exec(said)?.[0] ?? '';
  const file = path.join(FOLDER, 'bundle.json');
  await download.saveAs(file);
  const verify = () => spawnSync(process.execPath, [VERIFY, file, keyId], { encoding: 'utf8' });
  expect(verify()).toMatchObject({ status: 0, stdout: expect.stringContaining('"The lake at night"') });
  fs.writeFileSync(file, fs.readFileSync(file, 'utf8').replace('"The lake at night"', '"The boat"'));
  expect(verify()).toMatchObject({ status: 1, stderr: expect.stringContaining('The bundle was changed after it was made.') });
});

it('causes no page error and no request to another host', () => {
  expect(browser.pageErrors).toEqual([]);
  expect(browser.externalRequests).toEqual([]);
});

async function openView(view: string): Promise<void> {
  await openScreen(page, 'Rights Register');
  await page.getByRole('group', { name: 'View' }).getByRole('button', { name: view }).click();
}

/** The picture of a post, changed by an ffmpeg filter, in other bytes. */
async function changedPicture({ pictures }: SimulatedPost, filter: string): Promise<string> {
  const response = await fetch(pictures[0] ?? '');
  const [source, changed] = ['work-source.jpg', 'work.jpg'].map((name) => path.join(FOLDER, name)) as [string, string];
  fs.writeFileSync(source, Buffer.from(await response.arrayBuffer()));
  execFileSync(process.env.FFMPEG_PATH ?? 'ffmpeg', ['-v', 'error', '-y', '-i', source, '-vf', filter, '-q:v', '5', changed]);
  return changed;
}

/** Claims a work by its file or its address and waits until a worker has fingerprinted it. */
async function claimWork(title: string, work: { file: string } | { address: string }): Promise<void> {
  await openView('Register');
  await page.getByRole('button', { name: 'Add Claim' }).click();
  await page.getByLabel('Title of the work').fill(title);
  await page.getByLabel('Claimant').fill('A Photographer');
  const way = (name: string) => page.getByRole('group', { name: 'Identify by' }).getByRole('button', { name }).click();
  if ('file' in work) {
    await way('File');
    await page.locator('form input[type=file]').setInputFiles(work.file);
  } else {
    await way('Address');
    await page.getByLabel('Address of the work').fill(work.address);
  }
  await page.getByRole('button', { name: 'Add to register' }).click();
  const claim = page.getByRole('article', { name: title });
  await claim.getByText('File of the work fingerprinted').waitFor();
}

/** Both sides of a match show a picture that the browser has decoded. */
async function expectPictures(match: Locator, sides: readonly string[]): Promise<void> {
  expect(await match.locator('figcaption').allInnerTexts()).toEqual(sides);
  const decoded = () =>
    match.locator('figure img').evaluateAll((all) => all.map((picture) => (picture as HTMLImageElement).naturalWidth > 0));
  await pollUntil(async () => (await decoded()).filter(Boolean).length === sides.length);
}
