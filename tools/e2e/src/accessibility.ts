import axe, { type AxeResults, type RunOptions } from 'axe-core';
import type { BrowserContext, Page } from 'playwright-core';

const STANDARDS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
/** The rules whose result depends on the theme. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block'];
type Scope = 'all' | 'colours';

/** Injects axe before the page's own scripts, so that the content security policy stays unchanged. */
export async function injectAxe(context: BrowserContext): Promise<void> {
  await context.addInitScript({ content: axe.source });
}

/**
 * Violations that axe reports, one line each: rule, requirement, elements. A live page changes while axe reads it (a button that becomes
 * enabled in between still has its former colours), so only violations of two consecutive runs count.
 */
export async function violations(page: Page, scope: Scope = 'all'): Promise<string[]> {
  const found = await runAxe(page, scope);
  if (found.length === 0) return found;
  const again = new Set(await runAxe(page, scope));
  return found.filter((line) => again.has(line));
}

async function runAxe(page: Page, scope: Scope): Promise<string[]> {
  const options: RunOptions = {
    runOnly: scope === 'all' ? { type: 'tag', values: STANDARDS } : { type: 'rule', values: COLOUR_RULES },
    resultTypes: ['violations'],
    // no rule of these standards reads style sheets
    preload: { assets: ['media'] },
  };
  // the complete results are a large message
  const found = await page.evaluate(
    async (options) => (await (globalThis as unknown as { axe: typeof axe }).axe.run(options as RunOptions)).violations,
    options as object,
  );
  return (found as AxeResults['violations']).map(
    ({ id, help, nodes }) =>
      `${id}: ${help} (${nodes.map(({ target, failureSummary }) => `${target.join(' ')} ${reason(failureSummary)}`).join(' | ')})`,
  );
}

const reason = (summary: string | undefined): string => summary?.split('\n').slice(1, 2).join(' ').trim() ?? '';

/** Each answer of the browser costs more time than the key. */
const TABS_AT_ONCE = 10;

/** Names of visible, enabled controls that Tab does not reach. */
export async function unreachedByTab(page: Page): Promise<string[]> {
  const count = await page.evaluate(markOperable);
  for (let presses = 0; presses < count * 2 + 10; presses += TABS_AT_ONCE) {
    if ((await page.locator('[data-unreached]').count()) === 0) return [];
    await Promise.all(Array.from({ length: TABS_AT_ONCE }, () => page.keyboard.press('Tab')));
  }
  return page.evaluate(() =>
    [...document.querySelectorAll('[data-unreached]')].map((element) => {
      element.removeAttribute('data-unreached');
      return `${element.tagName.toLowerCase()} "${(element.getAttribute('aria-label') ?? element.textContent ?? '').trim().slice(0, 60)}"`;
    }),
  );
}

/** Runs in the page; the focus removes the mark. Radio buttons are excluded, because the arrow keys reach them. */
function markOperable(): number {
  const operable = 'a[href], button:enabled, input:enabled, select:enabled, textarea:enabled, [tabindex="0"]';
  const modal = document.querySelector('[role="dialog"], [role="alertdialog"]');
  const scope = modal ?? document;
  const elements = [...scope.querySelectorAll<HTMLElement>(operable)].filter((element) => {
    const radio = element instanceof HTMLInputElement && element.type === 'radio';
    const hidden = element.closest('[aria-hidden="true"], [inert]') !== null;
    return element.tabIndex >= 0 && !radio && !hidden && element.checkVisibility({ visibilityProperty: true });
  });
  for (const element of elements) {
    element.setAttribute('data-unreached', '');
    element.addEventListener('focus', () => element.removeAttribute('data-unreached'), { once: true });
  }
  (document.activeElement as HTMLElement | null)?.blur();
  return elements.length;
}

/** Horizontal overflow in pixels. */
export function horizontalOverflow(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
}

/** Names of controls smaller than 24 px (WCAG 2.5.8), except links within text. */
export function smallTargets(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('button, [role="button"], [role="tab"], select, a[href]')]
      .filter((element) => element.checkVisibility({ visibilityProperty: true, opacityProperty: true }))
      .filter((element) => getComputedStyle(element).display !== 'inline')
      .map((element) => ({ element, box: element.getBoundingClientRect() }))
      .filter(({ box }) => box.width > 1 && (box.width < 23.5 || box.height < 23.5))
      .map(
        ({ element, box }) =>
          `${(element.getAttribute('aria-label') ?? element.textContent ?? '').trim().slice(0, 40)} ${Math.round(box.width)}×${Math.round(box.height)}`,
      ),
  );
}
