import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { type Visit, visit } from './browser';
import { feel, noteTimings } from './event-timing';
import { makeManyPosts } from './many-posts';
import { RunningProduct } from './running-product';
import { signIn } from './sign-in';

/** Lists as they are after months: ten thousand captioned posts on the wall, a thousand lines in a log that goes on. */
const FOLDER = path.resolve(__dirname, '../../../.autoposter/test/long-lists');
const POSTS = 10_000;
const CAPTIONED_WITHIN_MS = 150_000;
const MOST_NODES = 1_500;
/** Milliseconds are said and not tested, for they are the machine's as well; beyond these the page is broken on any. */
const USABLE_WITHIN_MS = 30_000;
const INTERACTION_WITHIN_MS = 2_000;

let product: RunningProduct;
let browser: Visit;
let page: Page;

beforeAll(async () => {
  product = await RunningProduct.start(FOLDER, { ...process.env, PORT: '' });
  await makeManyPosts(product.state.databaseUrl, POSTS, CAPTIONED_WITHIN_MS);
  browser = await visit(process.env.CHROME_PATH ?? '/usr/bin/chromium', { isRoot: process.getuid?.() === 0 });
  page = browser.page;
  await signIn(page, product.state.address);
  await noteTimings(page);
});

afterAll(async () => {
  await browser?.close();
  await product?.stop();
});

const say = (text: string): void => void process.stderr.write(`${text}\n`);
const nodes = () => page.evaluate(() => document.querySelectorAll('*').length);

/** Waits until a place on the page is the same twice: a wheel goes on turning for a moment. */
async function atRest(place: () => Promise<number | undefined>): Promise<void> {
  for (let [last, now] = [await place(), -1 as number | undefined]; now !== last;) {
    await page.waitForTimeout(200);
    [last, now] = [now, await place()];
  }
}

it('shows ten thousand posts, and answers every key and click at once', async () => {
  const began = Date.now();
  await page.goto(`${product.state.address}/admin/processed`);
  await page.getByRole('button', { name: 'View Details' }).first().waitFor();
  const usable = Date.now() - began;
  await page.getByText(/^10\d{3} files ready$/).waitFor({ timeout: 60_000 });
  say(`Usable after ${usable} ms, whole after ${Date.now() - began} ms, ${await nodes()} nodes (load ${os.loadavg()[0]?.toFixed(1)}).`);
  expect(usable).toBeLessThan(USABLE_WITHIN_MS);
  const works: Record<string, () => Promise<unknown>> = {
    'select one': () => page.getByRole('checkbox').first().click(),
    'select all': () => page.keyboard.press('Control+a'),
    'select none': () => page.keyboard.press('Escape'),
    'type in the search': async () => {
      await page.getByRole('searchbox').click();
      await page.keyboard.type('number 77', { delay: 80 });
      await page.getByText(/^\d+ of 10,\d{3}$/).waitFor();
    },
    'clear the search': () => page.getByRole('button', { name: 'Clear filters' }).click(),
    'open details': async () => {
      await page.getByRole('button', { name: 'View Details' }).first().click();
      await page.getByRole('dialog').waitFor();
    },
    'close details': () => page.keyboard.press('Escape'),
  };
  for (const [name, work] of Object.entries(works)) {
    const { interaction } = await feel(page, work);
    say(`  ${name}: ${interaction} ms`);
    expect({ name, within: interaction <= INTERACTION_WITHIN_MS }).toEqual({ name, within: true });
    expect(await nodes()).toBeLessThanOrEqual(MOST_NODES);
  }
});

it('goes to the last post and back with End and Home', async () => {
  await page.keyboard.press('End');
  await page.getByRole('article', { name: `Post number ${POSTS}`, exact: true }).waitFor();
  expect(await nodes()).toBeLessThanOrEqual(MOST_NODES);
  const before = await page.evaluate(() => window.scrollY);
  await page.keyboard.press('PageUp');
  await page.waitForFunction((from) => window.scrollY < from, before);
  // Chromium drops a key that comes while the page still glides from the one before and its height changes
  await atRest(() => page.evaluate(() => window.scrollY));
  await page.keyboard.press('Home');
  await page.waitForFunction(() => window.scrollY === 0);
});

it('fetches no video before it is watched, and plays at most one of those on the wall', async () => {
  // what the last page was still reading is over, and the pointer rests on no card
  await page.goto('about:blank');
  await page.mouse.move(1, 1);
  const videos: string[] = [];
  page.on('request', (request) => request.url().includes('/api/media/video/') && videos.push(request.url()));
  await page.goto(`${product.state.address}/admin/processed`);
  const cards = page.getByRole('article');
  await cards.nth(1).waitFor();
  await page.waitForTimeout(1_000);
  expect(videos).toEqual([]);
  for (const card of [0, 1, 0]) await cards.nth(card).hover();
  await page.waitForFunction(() => [...document.querySelectorAll('video')].some((video) => !video.paused));
  expect(videos.length).toBeGreaterThan(0);
  expect(await page.evaluate(() => [...document.querySelectorAll('video')].filter((video) => !video.paused).length)).toBe(1);
});

it('goes through reels with keys and wheel, with one video playing and none heard until it is asked for', async () => {
  await page.goto(`${product.state.address}/admin/processed?view=reels`);
  const at = (place: number) => page.getByText(new RegExp(`^${place} / \\d+$`)).waitFor();
  const playing = () => page.evaluate(() => [...document.querySelectorAll('video')].filter((video) => !video.paused));
  const heard = () => page.evaluate(() => [...document.querySelectorAll('video')].filter((video) => !video.paused && !video.muted).length);
  await at(1);
  await page.waitForFunction(() => [...document.querySelectorAll('video')].some((video) => !video.paused));
  expect([(await playing()).length, await heard()]).toEqual([1, 0]);
  await page.keyboard.press('ArrowDown');
  await at(2);
  const stage = page.getByRole('group', { name: 'Reels' });
  await atRest(() => stage.evaluate((element) => element.scrollTop));
  await stage.hover();
  await page.mouse.wheel(0, 700);
  await at(3);
  await page.keyboard.press('m');
  await page.waitForFunction(() => [...document.querySelectorAll('video')].some((video) => !video.paused && !video.muted));
  expect([(await playing()).length, await heard()]).toEqual([1, 1]);
  await page.keyboard.press('Space');
  await page.waitForFunction(() => [...document.querySelectorAll('video')].every((video) => video.paused));
  await page.keyboard.press('e');
  await page.getByLabel('Caption').press('ArrowDown');
  await at(3);
  await page.keyboard.press('Escape');
  await page.reload();
  await at(3);
});

it('leaves the reader of a log where they are when lines come', async () => {
  const file = path.join(FOLDER, 'logs/gateway-out.log');
  const write = (from: number, count: number) => {
    const line = (n: number) => JSON.stringify({ level: n % 9 === 0 ? 50 : 30, time: Date.now(), msg: `line ${n}` });
    fs.appendFileSync(file, `${Array.from({ length: count }, (_none, index) => line(from + index)).join('\n')}\n`);
  };
  write(0, 1_200);
  await page.goto(`${product.state.address}/admin/logs?lines=1000`);
  const log = page.getByRole('log');
  await log.getByText('line 1199').waitFor();
  await log.hover();
  await page.mouse.wheel(0, -6_000);
  await log.getByText('line 935', { exact: false }).waitFor();
  const place = async () => (await log.getByText('line 935', { exact: false }).boundingBox())?.y;
  await atRest(place);
  const before = await place();
  write(1_200, 14);
  const refreshed = await feel(page, async () => {
    await page.getByRole('button', { name: 'Refresh', exact: true }).click();
    await page.getByRole('button', { name: /^1\d new lines$/ }).waitFor();
  });
  expect(await place()).toBe(before);
  const switched: number[] = [];
  for (const tab of ['Browser Logs', 'Error Logs', 'PM2 All Logs', 'PM2 Errors Only', 'Server Logs']) {
    const { longTasks } = await feel(page, () => page.getByRole('tab', { name: tab }).click());
    switched.push(...longTasks);
  }
  say(`Long tasks of a refresh: ${refreshed.longTasks.join(', ') || 'none'}; of five tabs: ${switched.join(', ') || 'none'}.`);
});
