import path from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { SimulatorControl } from '@autoposter/testkit';
import { KeyboardUser } from './keyboard-user';
import { RunningProduct } from '@autoposter/testkit';

/** The keyboard user, the page and locators for its controls. The members are arrow functions, so that tests can destructure them. */
export class KeyboardTestContext {
  readonly user: KeyboardUser;
  readonly control: SimulatorControl;

  constructor(
    readonly page: Page,
    readonly product: RunningProduct,
    private readonly folder: string,
  ) {
    this.user = new KeyboardUser(page);
    this.control = new SimulatorControl(product.state.addresses.control ?? '');
  }

  readonly button = (name: string | RegExp): Locator =>
    this.main.getByRole('button', typeof name === 'string' ? { name, exact: true } : { name });
  readonly labelled = (label: string): Locator => this.main.getByLabel(label, { exact: true });
  readonly group = (name: string): Locator => this.main.getByRole('group', { name, exact: true });
  readonly textbox = (name: string): Locator => this.main.getByRole('textbox', { name, exact: true });
  readonly combobox = (name: string): Locator => this.page.getByRole('combobox', { name });
  readonly dialog = (): Locator => this.page.getByRole('dialog');

  readonly expectNotification = (text: string | RegExp): Promise<void> =>
    this.page.getByRole('status').filter({ hasText: text }).first().waitFor();

  /** Opens a screen through the command palette, unless it is already open; its heading must receive the focus. */
  readonly openScreen = async (screen: string, heading = screen): Promise<void> => {
    const title = this.page.getByRole('heading', { level: 1, name: heading });
    if ((await title.count()) > 0) return;
    await this.user.pressKeys('Control+k');
    await this.user.expectFocusWithin(this.combobox('Search screens'));
    await this.page.keyboard.type(screen);
    await this.page.getByRole('option', { name: screen, selected: true }).waitFor();
    await this.user.pressKeys('Enter');
    await this.user.expectFocusWithin(title);
  };

  /** Closes the open dialog; the focus must return to the control that opened it. */
  readonly closeDialog = async (opener: Locator): Promise<void> => {
    await this.user.expectFocusWithin(this.dialog());
    await this.user.pressKeys('Escape');
    await this.dialog().waitFor({ state: 'hidden' });
    await this.user.expectFocusOn(opener);
  };

  /** After a failure, stores a screenshot and resets the page for the next test. */
  async run(name: string, steps: (context: KeyboardTestContext) => Promise<void>): Promise<void> {
    const startedAt = Date.now();
    const log = (outcome: string) => process.stderr.write(`${((Date.now() - startedAt) / 1000).toFixed(1)} s for "${name}"${outcome}\n`);
    try {
      await steps(this);
      log('');
    } catch (error) {
      log(`: ${String(error)}`);
      await this.captureFailure(name.replaceAll(/\W+/gu, '-')).catch(() => undefined);
      throw error;
    }
  }

  private async captureFailure(name: string): Promise<void> {
    await this.page.screenshot({ path: path.join(this.folder, `${name}.png`) });
    await this.page.goto(`${this.product.state.address}/admin`);
    await this.page.getByText('All Systems Operational').waitFor();
  }

  private get main(): Locator {
    return this.page.getByRole('main');
  }
}
