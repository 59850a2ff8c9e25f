import fs from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { sidewaysPixels, smallTargets, unreachedByTab, violations } from './accessibility';
import { putPostsAtEveryDoor } from './at-every-door';
import { type Visit, visit } from './browser';
import { RunningProduct } from './running-product';
import { signIn } from './sign-in';
import { SimulatedWorld } from './simulated-world';
import { SCREENS, type Screen } from './screens';

/**
 * Every screen in every state that it can be brought into, in two themes and two widths, against the running product: nothing to mend for
 * those who use it with other senses or without a mouse, nothing cut off, and a picture of each for eyes to judge.
 */
const FOLDER = path.resolve(__dirname, '../../../.autoposter/test/screens');
const PICTURES = path.join(FOLDER, 'pictures');
const WIDTHS = [320, 360, 390, 768, 1024, 1280, 1920];
const LOOKS = [
  { name: 'light', colorScheme: 'light', width: 1280 },
  { name: 'dark', colorScheme: 'dark', width: 1280 },
  { name: 'phone', colorScheme: 'light', width: 360 },
  { name: 'phone-dark', colorScheme: 'dark', width: 360 },
] as const;

let product: RunningProduct;
let browser: Visit;
let page: Page;

beforeAll(async () => {
  product = await RunningProduct.start(FOLDER, { ...process.env, PORT: '' });
  fs.mkdirSync(PICTURES, { recursive: true });
  browser = await visit(process.env.CHROME_PATH ?? '/usr/bin/chromium', { isRoot: process.getuid?.() === 0 });
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
  ])('%s', async (name, place, words) => {
    await page.goto(product.state.address + place);
    await page.getByText(words).first().waitFor();
    await holds(name);
  });
});

describe('signed in', () => {
  beforeAll(async () => {
    await signIn(page, product.state.address);
    await putPostsAtEveryDoor(page, product.state.address, new SimulatedWorld(product.state.addresses.control ?? ''));
  });

  it('knows every screen that the navigation leads to', async () => {
    const links = await page
      .getByRole('navigation')
      .getByRole('link')
      .evaluateAll((all) => all.map((link) => new URL((link as HTMLAnchorElement).href).pathname));
    expect(new Set(links)).toEqual(new Set(SCREENS.map((screen) => screen.path)));
  });

  describe.each(SCREENS)('$name', (screen) => {
    it('full', async () => {
      await open(screen);
      await holds(screen.name);
      await fitsEveryWidth();
      expect(await unreachedByTab(page)).toEqual([]);
      expect(await smallTargets(page)).toEqual([]);
    });

    for (const [name, reach] of Object.entries(screen.opened ?? {}))
      it(`with ${name} open`, async () => {
        await open(screen);
        await reach(page);
        await holds(`${screen.name}-${name}`);
        expect(await unreachedByTab(page)).toEqual([]);
      });

    if (screen.reads !== undefined)
      it('while it loads', async () => {
        await page.route(screen.reads ?? '', () => undefined);
        await page.goto(product.state.address + screen.path);
        await page.getByRole('heading', { level: 1, name: screen.heading }).waitFor();
        if (screen.loading !== undefined) {
          const text = page.getByText(screen.loading).first();
          await text.waitFor();
          // text for screen readers only is a box of one pixel
          expect((await text.boundingBox())?.height).toBeGreaterThan(10);
        }
        await holds(`${screen.name}-loading`);
      });

    if (screen.failed !== undefined)
      it('when the answer is cut off', async () => {
        await page.route(screen.reads ?? '', (route) => route.abort());
        await page.goto(product.state.address + screen.path);
        await page
          .getByText(screen.failed ?? '')
          .first()
          .waitFor();
        await holds(`${screen.name}-error`);
      });
  });

  describe('after everything was cleared', () => {
    beforeAll(clearAll);

    it.each(SCREENS.filter(({ empty }) => empty !== undefined))('$name', async (screen) => {
      await open(screen);
      await page
        .getByText(screen.empty ?? '')
        .first()
        .waitFor();
      await holds(`${screen.name}-empty`);
    });
  });

  it('threw nothing and asked nothing of the outside', () => {
    expect(browser.problems).toEqual([]);
    expect(browser.outside).toEqual([]);
  });
});

afterEach(() => page?.unrouteAll({ behavior: 'ignoreErrors' }));

async function open(screen: Screen): Promise<void> {
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.goto(product.state.address + screen.path);
  await page.getByRole('heading', { level: 1, name: screen.heading }).waitFor();
  await page.waitForFunction(() => document.querySelector('.MuiSkeleton-root, [aria-busy="true"]') === null);
}

/** No violation in any look, and a picture of each. */
async function holds(name: string): Promise<void> {
  const found: Record<string, string[]> = {};
  for (const look of LOOKS) {
    await page.emulateMedia({ colorScheme: look.colorScheme });
    await page.setViewportSize({ width: look.width, height: look.width < 600 ? 780 : 900 });
    await atRest();
    await page.screenshot({ path: path.join(PICTURES, `${name}.${look.name}.png`) });
    found[look.name] = await violations(page);
  }
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize({ width: 1280, height: 900 });
  expect(found).toEqual(Object.fromEntries(LOOKS.map((look) => [look.name, []])));
}

/** Colours that are on their way to others would be measured in between; what turns for ever is let turn. */
async function atRest(): Promise<void> {
  await page.evaluate(() =>
    Promise.allSettled(
      document
        .getAnimations()
        .filter((animation) => animation.effect?.getComputedTiming().endTime !== Infinity)
        .map((animation) => animation.finished),
    ),
  );
}

async function fitsEveryWidth(): Promise<void> {
  const over: Record<string, number> = {};
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 900 });
    const pixels = await sidewaysPixels(page);
    if (pixels > 0) over[width] = pixels;
  }
  await page.setViewportSize({ width: 1280, height: 900 });
  expect(over).toEqual({});
}

/** As a person does it: subreddits one by one, the rest with the button for it. */
async function clearAll(): Promise<void> {
  await page.goto(`${product.state.address}/admin/subreddits`);
  await page
    .getByRole('button', { name: /^Delete/ })
    .first()
    .waitFor();
  for (let left = await page.getByRole('button', { name: /^Delete/ }).count(); left > 0; left -= 1) {
    await page
      .getByRole('button', { name: /^Delete/ })
      .first()
      .click();
    await page
      .getByRole('alertdialog')
      .getByRole('button', { name: /^Delete/ })
      .click();
    await page.getByRole('alertdialog').waitFor({ state: 'hidden' });
    await page.waitForFunction((n) => document.querySelectorAll('main article').length < n, left);
  }
  await page.goto(`${product.state.address}/admin`);
  await page
    .getByRole('button', { name: /Clear All Data/ })
    .first()
    .click();
  const question = page.getByRole('alertdialog');
  const word = question.getByRole('textbox');
  if ((await word.count()) > 0) await word.fill(((await word.getAttribute('placeholder')) ?? 'CLEAR').trim());
  await question
    .getByRole('button', { name: /Clear All|Delete|Clear/ })
    .last()
    .click();
  await question.waitFor({ state: 'hidden', timeout: 40_000 });
}
