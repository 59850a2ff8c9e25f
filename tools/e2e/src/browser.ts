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

/** Generated media of the simulated hosts, shared by the specs. */
export const MEDIA_CACHE = path.resolve(__dirname, '../../../.autoposter/test/media');

/** For specs that need no full feeds: few and short posts, because the pipeline encodes each video. */
export const SHORT_FEEDS = { mediaCache: MEDIA_CACHE, longestVideo: 3, postsOfKind: 3 };

export interface BrowserSession {
  page: Page;
  /** Blocked requests to other hosts. */
  externalRequests: string[];
  /** Uncaught errors of the page. */
  pageErrors: string[];
  close(): Promise<void>;
}

/** Only what never happens takes longer, even a video in the pipeline on a busy machine. */
export const TIMEOUT_MS = 150_000;

/** Opens Chromium with an empty page. */
export async function openBrowser(executablePath = '/usr/bin/chromium'): Promise<BrowserSession> {
  const browser: Browser = await chromium.launch({
    executablePath,
    headless: true,
    args: [...OFFLINE_FLAGS, ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])],
  });
  const context: BrowserContext = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  context.setDefaultTimeout(TIMEOUT_MS);
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

const SETTLE_MS = 500;

/** CPU milliseconds that the main thread of the page takes for an action, until it has settled. Other processes do not count. */
export async function cpuTimeOf(page: Page, action: () => Promise<unknown>): Promise<number> {
  const devTools = await page.context().newCDPSession(page);
  await devTools.send('Performance.enable', { timeDomain: 'threadTicks' });
  const taken = async () => {
    const { metrics } = await devTools.send('Performance.getMetrics');
    const tasks = metrics.find(({ name }) => name === 'TaskDuration');
    if (tasks === undefined) throw new Error('Chromium reports no CPU time of the page');
    return tasks.value * 1000;
  };
  const before = await taken();
  await action();
  await page.waitForTimeout(SETTLE_MS);
  const milliseconds = Math.round((await taken()) - before);
  await devTools.detach();
  return milliseconds;
}
