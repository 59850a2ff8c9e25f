import type { Locator, Page } from 'playwright-core';
import { pollUntil } from '@autoposter/testkit';
import { TIMEOUT_MS } from '../browser';

/** More than the controls of any screen. */
const MAX_PRESSES = 300;

type Position = 'focused' | 'after' | 'before';

/** A user without a mouse. Each control must be reachable with Tab and show a visible focus. */
export class KeyboardUser {
  constructor(readonly page: Page) {}

  /** Moves the focus to a control with Tab or Shift+Tab and checks the focus indicator. */
  async tabTo(target: Locator): Promise<void> {
    const control = target.first();
    await control.waitFor();
    let turns = 0;
    let last: Position | null = null;
    for (let presses = 0; presses < MAX_PRESSES && turns < 4; presses += 1) {
      const position = await control.evaluate(positionOf);
      if (position === 'focused') return this.expectFocusIndicator(String(target));
      if (last !== null && position !== last) turns += 1;
      last = position;
      await this.page.keyboard.press(position === 'after' ? 'Tab' : 'Shift+Tab');
    }
    throw new Error(`Tab does not reach ${String(target)}`);
  }

  /** Moves the focus to a control and presses a key. */
  async press(target: Locator, key = 'Enter'): Promise<void> {
    await this.tabTo(target);
    await this.page.keyboard.press(key);
  }

  async pressKeys(...keys: string[]): Promise<void> {
    for (const key of keys) await this.page.keyboard.press(key);
  }

  /** Replaces the text of a field. */
  async fill(field: Locator, text: string): Promise<void> {
    await this.press(field, 'Control+a');
    await this.page.keyboard.insertText(text);
  }

  /** Selects an option of a list or menu; the focus must return to its control. */
  async selectOption(control: Locator, option: string): Promise<void> {
    await this.press(control);
    const wanted = this.page
      .getByRole('option', { name: option, exact: true })
      .or(this.page.getByRole('menuitem', { name: option, exact: true }));
    await wanted.waitFor();
    await this.pressKeys('Home');
    for (let presses = 0; !(await this.hasFocus(wanted)) && presses < MAX_PRESSES; presses += 1) await this.pressKeys('ArrowDown');
    await this.pressKeys('Enter');
    await this.page.locator('.MuiPopover-root').first().waitFor({ state: 'detached' });
    await this.expectFocusOn(control);
  }

  /** Selects a button of a group: Tab reaches the group, the arrow keys its buttons. */
  async selectInGroup(group: Locator, name: string | RegExp): Promise<void> {
    const wanted = group.getByRole('button', { name, exact: true });
    await this.tabTo(group.locator('[tabindex="0"]'));
    for (let presses = 0; !(await this.hasFocus(wanted)) && presses < 20; presses += 1) await this.pressKeys('ArrowRight');
    await this.expectFocusOn(wanted);
    await this.pressKeys('Space');
  }

  /** Waits until the target has a visible focus. */
  async expectFocusOn(target: Locator): Promise<void> {
    await this.waitUntil(async () => this.hasFocus(target.first()), `the focus to be on ${String(target)}`);
    await this.expectFocusIndicator(String(target));
  }

  /** Waits until the focus is within the target. */
  async expectFocusWithin(target: Locator): Promise<void> {
    const inside = () => target.first().evaluate((element) => element.contains(document.activeElement));
    await this.waitUntil(inside, `the focus to be within ${String(target)}`);
  }

  /** Waits until any control or heading has the focus. */
  async expectFocus(): Promise<void> {
    const hasFocus = () =>
      this.page.evaluate(
        () => document.activeElement?.matches('a, button, input, select, textarea, [tabindex]:not([role=presentation])') === true,
      );
    await this.waitUntil(hasFocus, 'the focus to be on a control or a heading');
  }

  /** Presses a button of the open dialog, and waits until it is closed and the focus is back on the screen. */
  async answerDialog(button: string): Promise<void> {
    const dialog = this.page.getByRole('alertdialog');
    await this.expectFocusWithin(dialog);
    await this.press(dialog.getByRole('button', { name: button, exact: true }));
    await dialog.waitFor({ state: 'hidden' });
    await this.expectFocus();
  }

  private hasFocus(target: Locator): Promise<boolean> {
    return target.evaluate((element) => element === document.activeElement);
  }

  private async expectFocusIndicator(name: string): Promise<void> {
    await this.waitUntil(() => this.page.evaluate(hasFocusIndicator), `a focus indicator on ${name}`);
  }

  private async waitUntil(condition: () => Promise<boolean>, description: string): Promise<void> {
    const check = async (): Promise<true> => {
      if (await condition().catch(() => false)) return true;
      throw new Error(`the focus is on ${await this.page.evaluate(focused)}`);
    };
    await pollUntil(check, TIMEOUT_MS, description, 30);
  }
}

/** The position of a control relative to the focus. */
function positionOf(element: Element): Position {
  const active = document.activeElement ?? document.body;
  if (active === element) return 'focused';
  return (active.compareDocumentPosition(element) & Node.DOCUMENT_POSITION_FOLLOWING) === 0 ? 'before' : 'after';
}

/** Whether the focused element, or a close ancestor, has an outline or border of two pixels and is inside the viewport. */
function hasFocusIndicator(): boolean {
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
