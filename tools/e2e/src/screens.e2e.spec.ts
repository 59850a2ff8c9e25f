import fs from 'node:fs';
import path from 'node:path';
import type { Page, Route } from 'playwright-core';
import { SimulatorControl } from '@autoposter/testkit';
import { horizontalOverflow, smallTargets, unreachedByTab, violations } from './accessibility';
import { type BrowserSession, openBrowser, SHORT_FEEDS, signIn } from './browser';
import { RunningProduct } from '@autoposter/testkit';
import { navigate, type Screen, SCREENS } from './screens';
import { addLinks, processItems } from './seed';

/** Each screen in each of its states, in two themes and two widths, against the running product: accessibility and overflow. */
const FOLDER = path.resolve(__dirname, '../../../.autoposter/test/screens');
const SCREENSHOTS = path.join(FOLDER, 'pictures');
/** `SCREENSHOTS=all` stores one of each state and variant, for a person to look through; they take a seventh of the time of this spec. */
const EVERY_SCREENSHOT = process.env.SCREENSHOTS === 'all';
const WIDTHS = [320, 360, 390, 768, 1024, 1280, 1920];
/** Both themes have the same elements, so that one of them needs the rules of colours only. */
const VARIANTS = [
  { name: 'light', colorScheme: 'light', width: 1280, scope: 'all' },
  { name: 'dark', colorScheme: 'dark', width: 1280, scope: 'colours' },
  { name: 'phone-dark', colorScheme: 'dark', width: 360, scope: 'colours' },
  { name: 'phone', colorScheme: 'light', width: 360, scope: 'all' },
] as const;

let product: RunningProduct;
let browser: BrowserSession;
let page: Page;

beforeAll(async () => {
  product = await RunningProduct.start(FOLDER, { ...process.env, PORT: '' }, SHORT_FEEDS);
  fs.mkdirSync(SCREENSHOTS, { recursive: true });
  browser = await openBrowser(process.env.CHROME_PATH);
  page = browser.page;
  await page.emulateMedia({ reducedMotion: 'reduce' });
});

afterAll(async () => {
  await browser?.close();
  await product?.stop();
});

describe('before signing in', () => {
  it.each([
    ['landing', '/', 'Coming Soon'],
    ['access-denied', '/access-denied', 'Access Denied'],
    ['guard', '/admin/urls', 'Admin Access Required'],
  ])('shows the %s page without violations', async (name, pathname, text) => {
    await page.goto(product.state.address + pathname);
    await page.getByText(text).first().waitFor();
    await expectNoViolations(name);
  });
});

describe('signed in', () => {
  beforeAll(async () => {
    await signIn(page, product.state.address);
    await addLinks(page, product.state.address, new SimulatorControl(product.state.addresses.control ?? ''));
  });

  it('covers every screen of the navigation', async () => {
    const links = await page
      .getByRole('navigation')
      .getByRole('link')
      .evaluateAll((all) => all.map((link) => new URL((link as HTMLAnchorElement).href).pathname));
    expect(new Set(links)).toEqual(new Set(SCREENS.map((screen) => screen.path)));
  });

  // While the pipeline processes the links.
  it.each(SCREENS.filter(({ reads }) => reads !== undefined))(
    'shows $name without violations while loading and after a failure',
    async (screen) => {
      const pending: Route[] = [];
      let fails = false;
      await page.route(screen.reads ?? '', (route) => (fails ? route.abort() : void pending.push(route)));
      await page.goto(product.state.address + screen.path);
      await page.getByRole('heading', { level: 1, name: screen.heading }).waitFor();
      if (screen.loading !== undefined) {
        const text = page.getByText(screen.loading).first();
        await text.waitFor();
        // Visually hidden text has a height of one pixel.
        expect((await text.boundingBox())?.height).toBeGreaterThan(10);
      }
      await expectNoViolations(`${screen.name}-loading`);
      if (screen.failed === undefined) return;
      fails = true;
      await Promise.all(pending.map((route) => route.abort()));
      await page.getByText(screen.failed).first().waitFor();
      await expectNoViolations(`${screen.name}-error`);
    },
  );

  describe('with items in each state', () => {
    beforeAll(() => processItems(page, product.state.address));

    describe.each(SCREENS)('$name', (screen) => {
      it('has no violations, overflow, unreachable controls or small targets', async () => {
        await open(screen);
        await expectNoViolations(screen.name);
        await expectNoOverflow();
        expect(await unreachedByTab(page)).toEqual([]);
        expect(await smallTargets(page)).toEqual([]);
      });

      for (const [name, reach] of Object.entries(screen.opened ?? {}))
        it(`has no violations and no unreachable controls with ${name} open`, async () => {
          await open(screen);
          await reach(page);
          await expectNoViolations(`${screen.name}-${name}`);
          expect(await unreachedByTab(page)).toEqual([]);
        });
    });
  });

  describe('after all data was cleared', () => {
    beforeAll(clearAll);

    it.each(SCREENS.filter(({ empty }) => empty !== undefined))('shows the empty state of $name without violations', async (screen) => {
      await open(screen);
      await page
        .getByText(screen.empty ?? '')
        .first()
        .waitFor();
      await expectNoViolations(`${screen.name}-empty`);
    });
  });

  it('causes no page error and no request to another host', () => {
    expect(browser.pageErrors).toEqual([]);
    expect(browser.externalRequests).toEqual([]);
  });
});

afterEach(() => page?.unrouteAll({ behavior: 'ignoreErrors' }));

/** Opens the screen in its initial state, without loading the page again. */
async function open(screen: Screen): Promise<void> {
  await page.mouse.move(0, 0);
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').or(page.getByRole('alertdialog')).first().waitFor({ state: 'hidden' });
  const other = SCREENS.findLast(({ path: place }) => place !== screen.path);
  const isOpen = new URL(page.url()).pathname === screen.path;
  for (const next of isOpen && other ? [other, screen] : [screen]) {
    await navigate(page, next.path);
    await page.getByRole('heading', { level: 1, name: next.heading }).waitFor();
  }
  await page.waitForFunction(() => document.querySelector('.MuiSkeleton-root, [aria-busy="true"]') === null);
}

/** In each variant; stores a screenshot of each that has violations. */
async function expectNoViolations(name: string): Promise<void> {
  const found: Record<string, string[]> = {};
  for (const variant of VARIANTS) {
    await page.emulateMedia({ colorScheme: variant.colorScheme });
    await page.setViewportSize({ width: variant.width, height: variant.width < 600 ? 780 : 900 });
    await waitForTransitions();
    const lines = await violations(page, variant.scope);
    if (lines.length > 0 || EVERY_SCREENSHOT) await page.screenshot({ path: path.join(SCREENSHOTS, `${name}.${variant.name}.png`) });
    found[variant.name] = lines;
  }
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize({ width: 1280, height: 900 });
  expect(found).toEqual(Object.fromEntries(VARIANTS.map((variant) => [variant.name, []])));
}

/** Colours in transition would be measured in between; transitions start with a frame. With reduced motion, no animation is endless. */
async function waitForTransitions(): Promise<void> {
  const endless = await page.evaluate(async () => {
    const nextFrame = () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
    const isRunning = ({ playState }: Animation) => playState === 'running';
    const isEndless = ({ effect }: Animation) => effect?.getComputedTiming().endTime === Infinity;
    for (let running: Animation[] | null = null; running === null || running.length > 0;) {
      await Promise.allSettled(running?.map((animation) => animation.finished) ?? []);
      await nextFrame();
      running = document.getAnimations().filter(isRunning);
      if (running.some(isEndless)) return running.filter(isEndless).map((animation) => (animation as CSSAnimation).animationName);
    }
    return [];
  });
  expect(endless).toEqual([]);
}

async function expectNoOverflow(): Promise<void> {
  const overflow: Record<string, number> = {};
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 900 });
    const pixels = await horizontalOverflow(page);
    if (pixels > 0) overflow[width] = pixels;
  }
  await page.setViewportSize({ width: 1280, height: 900 });
  expect(overflow).toEqual({});
}

/** Clear All Data keeps subreddits, so they are deleted first. */
async function clearAll(): Promise<void> {
  await page.goto(`${product.state.address}/admin/subreddits`);
  await page
    .getByRole('button', { name: /^Delete/ })
    .first()
    .waitFor();
  for (let remaining = await page.getByRole('button', { name: /^Delete/ }).count(); remaining > 0; remaining -= 1) {
    await page
      .getByRole('button', { name: /^Delete/ })
      .first()
      .click();
    await page
      .getByRole('alertdialog')
      .getByRole('button', { name: /^Delete/ })
      .click();
    await page.getByRole('alertdialog').waitFor({ state: 'hidden' });
    await page.waitForFunction((n) => document.querySelectorAll('main article').length < n, remaining);
  }
  await page.goto(`${product.state.address}/admin`);
  await page
    .getByRole('button', { name: /Clear All Data/ })
    .first()
    .click();
  const dialog = page.getByRole('alertdialog');
  const confirmation = dialog.getByRole('textbox');
  if ((await confirmation.count()) > 0) await confirmation.fill(((await confirmation.getAttribute('placeholder')) ?? 'CLEAR').trim());
  await dialog
    .getByRole('button', { name: /Clear All|Delete|Clear/ })
    .last()
    .click();
  await dialog.waitFor({ state: 'hidden' });
}
