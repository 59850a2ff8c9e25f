import path from 'node:path';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { injectAxe } from './accessibility';

/**
 * Disables background requests, each of which costs seconds on a machine without internet access, and every other host: an intercepted
 * request would do so too, but disables the browser's cache.
 */
const OFFLINE_FLAGS = [
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost',
  '--disable-gpu',
  '--disable-quic',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
  '--disable-dev-shm-usage',
];

/** Generated media of the simulated hosts, shared by the specs; the journey measures a first start, so it has its own. */
export const MEDIA_CACHE = path.resolve(__dirname, '../../../.autoposter/test/media');

export interface BrowserSession {
  page: Page;
  /** Blocked requests to other hosts. */
  externalRequests: string[];
  /** Uncaught errors of the page. */
  pageErrors: string[];
  close(): Promise<void>;
}

/** Opens Chromium with an empty page. */
export async function openBrowser(executablePath = '/usr/bin/chromium'): Promise<BrowserSession> {
  const browser: Browser = await chromium.launch({
    executablePath,
    headless: true,
    args: [...OFFLINE_FLAGS, ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])],
  });
  const context: BrowserContext = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  context.setDefaultTimeout(20_000);
  const externalRequests: string[] = [];
  const pageErrors: string[] = [];
  context.on('request', (request) => {
    const { hostname, protocol } = new URL(request.url());
    const isInternal = ['127.0.0.1', 'localhost'].includes(hostname) || ['data:', 'blob:'].includes(protocol);
    if (!isInternal) externalRequests.push(request.url());
  });
  await injectAxe(context);
  const page = await context.newPage();
  page.on('pageerror', (error) => pageErrors.push(error.message));
  return { page, externalRequests, pageErrors, close: () => browser.close() };
}

/** Signs in through the simulated Google, as a user on the admin list. */
export async function signIn(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await page.getByRole('button', { name: 'Sign in with Google' }).click();
  await page.getByRole('link', { name: /admin@autoposter\.local · on the admin list/ }).click();
  await page.getByRole('heading', { name: 'Instagram Auto-Poster Dashboard' }).waitFor();
  await page.getByText('All Systems Operational').waitFor();
}

/** Milliseconds, as measured by the browser. */
interface Timings {
  /** The slowest interaction: from a key press or click to the next paint. */
  interaction: number;
  /** Tasks that blocked the main thread for more than 50 ms. */
  longTasks: number[];
}

interface TimingRecord {
  interactions: number[];
  tasks: number[];
}

/** Records interactions and long tasks of all pages that are opened from now on. */
export async function recordTimings(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const record: TimingRecord = { interactions: [], tasks: [] };
    Object.assign(globalThis, { timings: record });
    const observe = (type: string, add: (entry: PerformanceEntry) => void, options: object = {}) =>
      new PerformanceObserver((list) => list.getEntries().forEach(add)).observe({ type, buffered: true, ...options });
    observe('event', (entry) => (entry as PerformanceEventTiming).interactionId !== 0 && record.interactions.push(entry.duration), {
      durationThreshold: 16,
    });
    observe('longtask', (entry) => record.tasks.push(Math.round(entry.duration)));
  });
}

const SETTLE_MS = 500;

/** Measures an action until the page has settled. */
export async function measure(page: Page, action: () => Promise<unknown>): Promise<Timings> {
  await page.evaluate(() => {
    const { timings } = globalThis as unknown as { timings: TimingRecord };
    timings.interactions.length = 0;
    timings.tasks.length = 0;
  });
  await action();
  await page.waitForTimeout(SETTLE_MS);
  const { interactions, tasks } = await page.evaluate(() => (globalThis as unknown as { timings: TimingRecord }).timings);
  return { interaction: Math.round(Math.max(0, ...interactions)), longTasks: tasks };
}
