import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { bringAxe } from './accessibility';

/** Keeps a browser from asking its maker anything; on a machine without a way out each such question costs seconds. */
const QUIET = [
  '--disable-gpu',
  '--disable-quic',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
  '--disable-dev-shm-usage',
];

export interface Visit {
  page: Page;
  /** Requests that would have left the machine; they are cut. */
  outside: string[];
  /** Errors that the page itself threw. */
  problems: string[];
  close(): Promise<void>;
}

/** A real browser with one empty window. */
export async function visit(chromePath: string, { isRoot }: { isRoot: boolean }): Promise<Visit> {
  const browser: Browser = await chromium.launch({
    executablePath: chromePath,
    headless: true,
    args: [...QUIET, ...(isRoot ? ['--no-sandbox'] : [])],
  });
  const context: BrowserContext = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  context.setDefaultTimeout(20_000);
  const outside: string[] = [];
  const problems: string[] = [];
  await context.route(
    (url) => !['127.0.0.1', 'localhost'].includes(url.hostname) && url.protocol !== 'data:' && url.protocol !== 'blob:',
    (route) => {
      outside.push(route.request().url());
      return route.abort();
    },
  );
  await bringAxe(context);
  const page = await context.newPage();
  page.on('pageerror', (error) => problems.push(error.message));
  return { page, outside, problems, close: () => browser.close() };
}
