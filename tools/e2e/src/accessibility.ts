import axe, { type AxeResults } from 'axe-core';
import type { BrowserContext, Page } from 'playwright-core';

const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** Injects axe before the page's own scripts, so that the content security policy stays unchanged. */
export async function injectAxe(context: BrowserContext): Promise<void> {
  await context.addInitScript({ content: axe.source });
}

/**
 * Violations that axe reports, one line each: rule, requirement, elements. A live page changes while axe reads it (a button that becomes
 * enabled in between still has its former colours), so only violations of two consecutive runs count.
 */
export async function violations(page: Page): Promise<string[]> {
  const found = await runAxe(page);
  if (found.length === 0) return found;
  const again = new Set(await runAxe(page));
  return found.filter((line) => again.has(line));
}

async function runAxe(page: Page): Promise<string[]> {
  const found = await page.evaluate(
    async (values) =>
      (globalThis as unknown as { axe: typeof axe }).axe.run({ runOnly: { type: 'tag', values }, resultTypes: ['violations'] }),
    RULES,
  );
  return (found as AxeResults).violations.map(
    ({ id, help, nodes }) =>
      `${id}: ${help} (${nodes.map(({ target, failureSummary }) => `${target.join(' ')} ${reason(failureSummary)}`).join(' | ')})`,
  );
}

const reason = (summary: string | undefined): string => summary?.split('\n').slice(1, 2).join(' ').trim() ?? '';

/** Names of visible, enabled controls that Tab does not reach. */
export async function unreachedByTab(page: Page): Promise<string[]> {
  const count = await page.evaluate(markOperable);
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
  for (let step = 0; step < count * 2 + 10; step += 1) {
    await page.keyboard.press('Tab');
    const left = await page.evaluate(() => {
      document.activeElement?.removeAttribute('data-unreached');
      return document.querySelectorAll('[data-unreached]').length;
    });
    if (left === 0) return [];
  }
  return page.evaluate(() =>
    [...document.querySelectorAll('[data-unreached]')].map((element) => {
      element.removeAttribute('data-unreached');
      return `${element.tagName.toLowerCase()} "${(element.getAttribute('aria-label') ?? element.textContent ?? '').trim().slice(0, 60)}"`;
    }),
  );
}

/** Runs in the page. Radio buttons are excluded, because the arrow keys reach them. */
function markOperable(): number {
  const operable = 'a[href], button:enabled, input:enabled, select:enabled, textarea:enabled, [tabindex="0"]';
  const modal = document.querySelector('[role="dialog"], [role="alertdialog"]');
  const scope = modal ?? document;
  const elements = [...scope.querySelectorAll<HTMLElement>(operable)].filter((element) => {
    const radio = element instanceof HTMLInputElement && element.type === 'radio';
    const hidden = element.closest('[aria-hidden="true"], [inert]') !== null;
    return element.tabIndex >= 0 && !radio && !hidden && element.checkVisibility({ visibilityProperty: true });
  });
  for (const element of elements) element.setAttribute('data-unreached', '');
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
