import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { type Visit, visit } from './browser';
import { RunningProduct } from './running-product';
import { signIn } from './sign-in';
import { SimulatedWorld } from './simulated-world';

/**
 * A post on its whole way, seen through the browser of the person who watches over it. The parts build on each other, in the order in
 * which somebody new to the product meets them.
 */
const FOLDER = path.resolve(__dirname, '../../../.autoposter/test/journey');
const FIRST_REEL_WITHIN_MS = 60_000;
/** A promise in seconds holds for a machine that does nothing else. */
const quiet = (os.loadavg()[0] ?? 0) < os.cpus().length;
const PATIENCE_MS = 150_000;

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
  await signIn(page, product.state.address);
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
  const posted = page.getByRole('row').filter({ has: page.getByText('Posted', { exact: true }) });
  await posted.first().waitFor({ timeout: PATIENCE_MS });
  process.stderr.write(`The first reel stood after ${Math.round(product.age / 1000)} s.\n`);
  if (quiet) expect(product.age).toBeLessThan(FIRST_REEL_WITHIN_MS);
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
  await row(post.permalink).getByText('Downloaded').waitFor({ timeout: PATIENCE_MS });
});

part('runs the next steps by hand', async () => {
  await page.getByRole('link', { name: 'Dashboard' }).click();
  await page.getByRole('button', { name: 'PROCESS DMCA' }).first().click();
  await page.getByRole('button', { name: 'PROCESS AI' }).first().click({ timeout: PATIENCE_MS });
  await open('Processed Content');
  const ready = page.getByRole('article').filter({ has: page.getByRole('button', { name: 'Post Now' }) });
  await ready.first().waitFor({ timeout: PATIENCE_MS });
  expect(await ready.first().innerText()).toMatch(/AI Complete[\s\S]*\+\d+ more/);
});

part('sees why a post failed and why others were skipped', async () => {
  const post = await world.post('garbage');
  await paste(post.permalink);
  const problem = row(post.permalink).getByLabel('Processing errors');
  await problem.waitFor({ timeout: PATIENCE_MS });
  expect(await problem.innerText()).toMatch(/^(download|dmca): \S.{10,}/);
  await open('Skipped Posts');
  const skipped = page.getByRole('row').filter({ hasText: 'Content type not allowed' });
  await skipped.first().waitFor();
  expect(await skipped.first().innerText()).toMatch(/switched off for this subreddit|no picture or video/);
});

it('asked nothing of the outside, and threw nothing', () => {
  expect(browser.outside).toEqual([]);
  expect(browser.problems).toEqual([]);
});

it('ends without leaving a process behind', async () => {
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

/** The post of this link; one that could not be read has no title of its own. */
const row = (link: string) => page.getByRole('article').filter({ has: page.locator(`a[href*="${/\/comments\/[^/]+/.exec(link)?.[0]}"]`) });
