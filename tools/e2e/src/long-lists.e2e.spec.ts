import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { type BrowserSession, cpuTimeOf, openBrowser, SHORT_FEEDS, signIn } from './browser';
import { RunningProduct } from '@autoposter/testkit';
import { seedCaptionedItems } from './seed';

/** Lists of an installation that has run for months: ten thousand captioned items, and a log that grows. */
const FOLDER = path.resolve(__dirname, '../../../.autoposter/test/long-lists');
const POSTS = 10_000;
const MAX_NODES = 1_500;
/** CPU time, so that other work of the machine does not count. An action for all items that renders each takes a multiple. */
const MAX_ACTION_CPU_MS = 2_000;

let product: RunningProduct;
let browser: BrowserSession;
let page: Page;

beforeAll(async () => {
  product = await RunningProduct.start(FOLDER, { ...process.env, PORT: '' }, SHORT_FEEDS);
  await seedCaptionedItems(product.state.databaseUrl, POSTS);
  browser = await openBrowser(process.env.CHROME_PATH);
  page = browser.page;
  await signIn(page, product.state.address);
});

afterAll(async () => {
  await browser?.close();
  await product?.stop();
});

const log = (text: string): void => void process.stderr.write(`${text}\n`);
const nodes = () => page.evaluate(() => document.querySelectorAll('*').length);

/** Waits until a position is the same twice, because scrolling is animated. */
async function waitForScrollEnd(position: () => Promise<number | undefined>): Promise<void> {
  for (let [last, now] = [await position(), -1 as number | undefined]; now !== last;) {
    await page.waitForTimeout(200);
    [last, now] = [now, await position()];
  }
}

it('renders ten thousand items in few DOM nodes and reacts quickly to each key and click', async () => {
  const startedAt = Date.now();
  await page.goto(`${product.state.address}/admin/processed`);
  await page.getByRole('button', { name: 'View Details' }).first().waitFor();
  const usable = Date.now() - startedAt;
  await page.getByText(/^10,\d{3} files ready$/).waitFor();
  log(
    `Usable after ${usable} ms, complete after ${Date.now() - startedAt} ms, ${await nodes()} nodes (load ${os.loadavg()[0]?.toFixed(1)}).`,
  );
  const actions: Record<string, () => Promise<unknown>> = {
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
  for (const [name, action] of Object.entries(actions)) {
    const taken = await cpuTimeOf(page, action);
    log(`  ${name}: ${taken} CPU ms`);
    expect({ name, within: taken <= MAX_ACTION_CPU_MS }).toEqual({ name, within: true });
    expect(await nodes()).toBeLessThanOrEqual(MAX_NODES);
  }
});

it('scrolls to the last item and back with End and Home', async () => {
  await page.keyboard.press('End');
  await page.getByRole('article', { name: `Post number ${POSTS}`, exact: true }).waitFor();
  expect(await nodes()).toBeLessThanOrEqual(MAX_NODES);
  const before = await page.evaluate(() => window.scrollY);
  await page.keyboard.press('PageUp');
  await page.waitForFunction((from) => window.scrollY < from, before);
  // Chromium ignores a key during animated scrolling when the height of the page changes.
  await waitForScrollEnd(() => page.evaluate(() => window.scrollY));
  await page.keyboard.press('Home');
  await page.waitForFunction(() => window.scrollY === 0);
});

it('fetches videos only on hover and plays at most one', async () => {
  // Ends pending requests of the previous page and moves the pointer off the cards.
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

it('browses reels with keys and wheel, playing one video, muted until the sound is switched on', async () => {
  await page.goto(`${product.state.address}/admin/processed?view=reels`);
  const showsReel = (position: number) => page.getByText(new RegExp(`^${position} / \\d+$`)).waitFor();
  const playing = () => page.evaluate(() => [...document.querySelectorAll('video')].filter((video) => !video.paused));
  const audible = () =>
    page.evaluate(() => [...document.querySelectorAll('video')].filter((video) => !video.paused && !video.muted).length);
  await showsReel(1);
  await page.waitForFunction(() => [...document.querySelectorAll('video')].some((video) => !video.paused));
  expect([(await playing()).length, await audible()]).toEqual([1, 0]);
  await page.keyboard.press('ArrowDown');
  await showsReel(2);
  const reels = page.getByRole('group', { name: 'Reels' });
  await waitForScrollEnd(() => reels.evaluate((element) => element.scrollTop));
  await reels.hover();
  await page.mouse.wheel(0, 700);
  await showsReel(3);
  await page.keyboard.press('m');
  await page.waitForFunction(() => [...document.querySelectorAll('video')].some((video) => !video.paused && !video.muted));
  expect([(await playing()).length, await audible()]).toEqual([1, 1]);
  await page.keyboard.press('Space');
  await page.waitForFunction(() => [...document.querySelectorAll('video')].every((video) => video.paused));
  await page.keyboard.press('e');
  await page.getByLabel('Caption').press('ArrowDown');
  await showsReel(3);
  await page.keyboard.press('Escape');
  await page.reload();
  await showsReel(3);
});

it('keeps the scroll position of a log when new lines arrive', async () => {
  const file = path.join(FOLDER, 'logs/gateway-out.log');
  const write = (from: number, count: number) => {
    const line = (n: number) => JSON.stringify({ level: n % 9 === 0 ? 50 : 30, time: Date.now(), msg: `line ${n}` });
    fs.appendFileSync(file, `${Array.from({ length: count }, (_none, index) => line(from + index)).join('\n')}\n`);
  };
  write(0, 1_200);
  await page.goto(`${product.state.address}/admin/logs?lines=1000`);
  const view = page.getByRole('log');
  await view.getByText('line 1199').waitFor();
  await view.hover();
  await page.mouse.wheel(0, -6_000);
  await view.getByText('line 935', { exact: false }).waitFor();
  const position = async () => (await view.getByText('line 935', { exact: false }).boundingBox())?.y;
  await waitForScrollEnd(position);
  const before = await position();
  write(1_200, 14);
  await page.getByRole('button', { name: 'Refresh', exact: true }).click();
  await page.getByRole('button', { name: /^1\d new lines$/ }).waitFor();
  expect(await position()).toBe(before);
});

it('switches between logs at little cost', async () => {
  const tabs = ['Browser Logs', 'Error Logs', 'PM2 All Logs', 'PM2 Errors Only', 'Server Logs'];
  for (const tab of tabs) {
    const taken = await cpuTimeOf(page, () => page.getByRole('tab', { name: tab }).click());
    log(`  ${tab}: ${taken} CPU ms`);
    expect({ tab, within: taken <= MAX_ACTION_CPU_MS }).toEqual({ tab, within: true });
  }
});
