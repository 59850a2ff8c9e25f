import type { Locator, Page } from 'playwright-core';

const WITHIN_MS = 30_000;
/** More presses than any screen has things to stop at. */
const MOST_PRESSES = 300;

type Place = 'here' | 'after' | 'before';

/** Somebody who has no mouse: everything is reached with Tab, done with keys, and has to be seen to have the focus. */
export class Hands {
  constructor(readonly page: Page) {}

  /** Goes to a control with Tab or Shift+Tab, whichever is nearer, and looks whether it can be seen to have the focus. */
  async reach(target: Locator): Promise<void> {
    const one = target.first();
    await one.waitFor({ timeout: WITHIN_MS });
    let turns = 0;
    let last: Place | null = null;
    for (let presses = 0; presses < MOST_PRESSES && turns < 4; presses += 1) {
      const place = await one.evaluate(placeOf);
      if (place === 'here') return this.seen(String(target));
      if (last !== null && place !== last) turns += 1;
      last = place;
      await this.page.keyboard.press(place === 'after' ? 'Tab' : 'Shift+Tab');
    }
    throw new Error(`Tab does not lead to ${String(target)}`);
  }

  /** Reaches a control and presses a key on it. */
  async press(target: Locator, key = 'Enter'): Promise<void> {
    await this.reach(target);
    await this.page.keyboard.press(key);
  }

  async key(...keys: string[]): Promise<void> {
    for (const key of keys) await this.page.keyboard.press(key);
  }

  /** Replaces what stands in a field. */
  async fill(field: Locator, text: string): Promise<void> {
    await this.press(field, 'Control+a');
    await this.page.keyboard.insertText(text);
  }

  /** Chooses from a list or menu that opens; the focus is back on its control afterwards. */
  async choose(control: Locator, option: string): Promise<void> {
    await this.press(control);
    const wanted = this.page
      .getByRole('option', { name: option, exact: true })
      .or(this.page.getByRole('menuitem', { name: option, exact: true }));
    await wanted.waitFor();
    await this.key('Home');
    for (let presses = 0; !(await this.holds(wanted)) && presses < MOST_PRESSES; presses += 1) await this.key('ArrowDown');
    await this.key('Enter');
    await this.page.locator('.MuiPopover-root').first().waitFor({ state: 'detached' });
    await this.at(control);
  }

  /** Chooses one of a group of buttons: Tab leads to the group, the arrow keys lead through it. */
  async pick(group: Locator, name: string | RegExp): Promise<void> {
    const wanted = group.getByRole('button', { name, exact: true });
    await this.reach(group.locator('[tabindex="0"]'));
    for (let presses = 0; !(await this.holds(wanted)) && presses < 20; presses += 1) await this.key('ArrowRight');
    await this.at(wanted);
    await this.key('Space');
  }

  /** Waits until this has the focus, and can be seen to have it. */
  async at(target: Locator): Promise<void> {
    await this.until(async () => this.holds(target.first()), `the focus to be on ${String(target)}`);
    await this.seen(String(target));
  }

  /** Waits until the focus is within this. */
  async within(target: Locator): Promise<void> {
    const inside = () => target.first().evaluate((element) => element.contains(document.activeElement));
    await this.until(inside, `the focus to be within ${String(target)}`);
  }

  /** Waits until the focus is on something: a control or the heading of the screen. */
  async somewhere(): Promise<void> {
    const held = () =>
      this.page.evaluate(
        () => document.activeElement?.matches('a, button, input, select, textarea, [tabindex]:not([role=presentation])') === true,
      );
    await this.until(held, 'the focus to be on a control or a heading');
  }

  /** Answers the question that is open, and waits until it has gone and the focus is back on the screen. */
  async answer(button: string): Promise<void> {
    const question = this.page.getByRole('alertdialog');
    await this.within(question);
    await this.press(question.getByRole('button', { name: button, exact: true }));
    await question.waitFor({ state: 'hidden', timeout: WITHIN_MS });
    await this.somewhere();
  }

  private holds(target: Locator): Promise<boolean> {
    return target.evaluate((element) => element === document.activeElement);
  }

  private async seen(name: string): Promise<void> {
    await this.until(() => this.page.evaluate(hasRing), `a mark that ${name} has the focus`);
  }

  private async until(holds: () => Promise<boolean>, what: string): Promise<void> {
    for (const end = Date.now() + WITHIN_MS; !(await holds().catch(() => false)); await this.page.waitForTimeout(30)) {
      if (Date.now() > end) throw new Error(`Waited in vain for ${what}; it is on ${await this.page.evaluate(focused)}`);
    }
  }
}

/** Where a control stands, seen from what has the focus. */
function placeOf(element: Element): Place {
  const now = document.activeElement ?? document.body;
  if (now === element) return 'here';
  return (now.compareDocumentPosition(element) & Node.DOCUMENT_POSITION_FOLLOWING) === 0 ? 'before' : 'after';
}

/** Whether what has the focus, or a frame close around it, is drawn with an outline or a line of two pixels, inside the window. */
function hasRing(): boolean {
  const focus = document.activeElement;
  if (focus === null) return false;
  const box = focus.getBoundingClientRect();
  const inside = box.bottom > 0 && box.top < window.innerHeight && box.right > 0 && box.left < window.innerWidth;
  const outlined = [focus, focus.parentElement, focus.parentElement?.parentElement ?? null].some((element) => {
    if (element === null) return false;
    const { outlineStyle, outlineWidth, opacity } = getComputedStyle(element);
    return outlineStyle !== 'none' && parseFloat(outlineWidth) >= 2 && opacity !== '0';
  });
  const frame = focus.closest('.MuiInputBase-root')?.querySelector('fieldset') ?? null;
  return inside && (outlined || (frame !== null && parseFloat(getComputedStyle(frame).borderTopWidth) >= 2));
}

function focused(): string {
  const focus = document.activeElement;
  return `${focus?.tagName.toLowerCase() ?? 'nothing'} "${(focus?.getAttribute('aria-label') ?? focus?.textContent ?? '').trim().slice(0, 60)}"`;
}
