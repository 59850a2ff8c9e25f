import fs from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { type Visit, visit } from './browser';
import { RunningProduct } from './running-product';
import { SimulatedWorld } from './simulated-world';

/**
 * A post on its whole way, seen through the browser of the person who watches over it. The parts build on each other, in the order in
 * which somebody new to the product meets them.
 */
const FOLDER = path.resolve(__dirname, '../../../.autoposter/test/journey');
const FIRST_REEL_WITHIN_MS = 60_000;

let product: RunningProduct;
let world: SimulatedWorld;
let browser: Visit;
let page: Page;
/** After one part failed the next ones say nothing new. */
let broken = false;

beforeAll(async () => {
  product = await RunningProduct.start(FOLDER, { ...process.env, PORT: '' });
  world = new SimulatedWorld(product.state.addresses.control ?? '');
  browser = await visit(process.env.CHROME_PATH ?? '/usr/bin/chromium', { isRoot: process.getuid?.() === 0 });
  page = browser.page;
});

afterAll(async () => {
  await browser?.close();
  await product?.stop();
});

part('signs in with Google and sees the dashboard', async () => {
  await page.goto(product.state.address);
  await page.getByRole('button', { name: 'Sign in with Google' }).click();
  await page.getByRole('link', { name: /admin@autoposter\.local · on the admin list/ }).click();
  await page.getByRole('heading', { name: 'Instagram Auto-Poster Dashboard' }).waitFor();
  await page.getByText('All Systems Operational').waitFor();
  expect(page.url()).toBe(`${product.state.address}/admin`);
});

part('adds a subreddit', async () => {
  await open('Subreddit Manager');
  await page.getByText('r/oddlysatisfying').first().waitFor();
  await page.getByRole('button', { name: 'Add Subreddit' }).click();
  await page.getByLabel('Name').fill('EarthPorn');
  await page.getByLabel('Interval (minutes)').fill('1440');
  await page.getByLabel('Posts to fetch').fill('1');
  await page.getByRole('button', { name: 'Add Subreddit' }).last().click();
  await page.getByText('r/EarthPorn').first().waitFor();
});

part('sees the first reel posted within a minute, here and on Instagram', async () => {
  await open('Instagram Queue');
  const posted = page.getByRole('row').filter({ hasText: /\bposted\b/i });
  await posted.first().waitFor({ timeout: Math.max(1_000, FIRST_REEL_WITHIN_MS - product.age) });
  const published = await world.published();
  expect(published).toEqual([expect.objectContaining({ mediaProductType: 'REELS', caption: expect.stringContaining('#') })]);
  await open('Processed Content');
  const card = page.getByRole('article').filter({ hasText: 'Posted' }).first();
  await card.waitFor();
  expect(await card.getByRole('button', { name: 'Post Now' }).count()).toBe(0);
});

part('pastes a link and sees it arrive without reloading', async () => {
  const post = await world.post('portrait');
  await paste(post.permalink);
  await row(post.title)
    .getByText(/downloaded/i)
    .first()
    .waitFor({ timeout: 60_000 });
});

part('runs the next steps by hand', async () => {
  const { title } = await world.post('portrait');
  await page.getByRole('link', { name: 'Dashboard' }).click();
  const dmca = page.getByRole('button', { name: 'PROCESS DMCA' });
  for (let left = await waiting(dmca); left > 0; left -= 1) {
    await dmca.first().click();
    await page.getByRole('button', { name: 'PROCESS AI' }).first().waitFor({ timeout: 60_000 });
  }
  await page.getByRole('button', { name: 'PROCESS AI' }).first().click();
  await open('Processed Content');
  await page.getByRole('article').first().waitFor({ timeout: 60_000 });
  await open('URL Manager');
  await row(title)
    .getByText(/downloaded|processing|completed/i)
    .first()
    .waitFor();
});

part('sees why a post failed and why others were skipped', async () => {
  const broken = await world.post('garbage');
  await paste(broken.permalink);
  const problem = row(broken.title).getByLabel('Processing errors');
  await problem.waitFor({ timeout: 90_000 });
  expect(await problem.innerText()).toMatch(/^(download|dmca): \S.{10,}/);
  await open('Skipped Posts');
  const table = page.getByRole('table', { name: 'Skipped Posts' });
  await table
    .getByText(/Content type not allowed|Score too low|Post too old|Stickied excluded/)
    .first()
    .waitFor();
});

part('asked nothing of the outside, and threw nothing', () => {
  expect(browser.outside).toEqual([]);
  expect(browser.problems).toEqual([]);
});

part('ends without leaving a process behind', async () => {
  expect(await product.stop()).toEqual({ code: 0, left: [] });
});

function part(name: string, work: () => Promise<void> | void): void {
  it(name, async () => {
    if (broken) throw new Error('An earlier part of the journey failed.');
    try {
      await work();
    } catch (error) {
      broken = true;
      await keepEvidence();
      throw error;
    }
  });
}

/** What the screen showed and what the services said. */
async function keepEvidence(): Promise<void> {
  const picture = path.join(FOLDER, 'failed.png');
  await page.screenshot({ path: picture }).catch(() => undefined);
  fs.writeFileSync(path.join(FOLDER, 'failed.txt'), `${product.words}\n${product.logs()}\n`);
  process.stderr.write(`Evidence: ${picture}, ${FOLDER}/failed.txt\n`);
}

async function open(screen: string): Promise<void> {
  await page.getByRole('navigation').getByRole('link', { name: screen }).click();
  await page.getByRole('heading', { name: screen, level: 1 }).waitFor();
}

async function paste(link: string): Promise<void> {
  await open('URL Manager');
  await page.getByLabel('Post URLs, one per line').fill(link);
  await page.getByRole('button', { name: 'Add URLs' }).click();
  await page.getByText('Successfully processed 1 URL(s)').waitFor();
}

const row = (title: string) => page.getByRole('article').filter({ hasText: title });

async function waiting(buttons: ReturnType<Page['getByRole']>): Promise<number> {
  await buttons.first().waitFor();
  return buttons.count();
}
