import path from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { Hands } from '../hands';
import { RunningProduct } from '../running-product';
import { SimulatedWorld } from '../simulated-world';

/** What the pipeline does in between may take this long. */
export const PATIENCE_MS = 90_000;

/** Where somebody without a mouse sits: their hands, the page before them, and the names that things on it have. */
export class Desk {
  readonly hands: Hands;
  readonly world: SimulatedWorld;

  constructor(
    readonly page: Page,
    readonly product: RunningProduct,
    private readonly evidence: string,
  ) {
    this.hands = new Hands(page);
    this.world = new SimulatedWorld(product.state.addresses.control ?? '');
  }

  readonly button = (name: string | RegExp): Locator =>
    this.main.getByRole('button', typeof name === 'string' ? { name, exact: true } : { name });
  readonly box = (label: string): Locator => this.main.getByLabel(label, { exact: true });
  readonly group = (name: string): Locator => this.main.getByRole('group', { name, exact: true });
  readonly field = (name: string): Locator => this.main.getByRole('textbox', { name, exact: true });
  readonly list = (name: string): Locator => this.page.getByRole('combobox', { name });
  readonly dialog = (): Locator => this.page.getByRole('dialog');

  /** Waits for a notice. */
  readonly told = (text: string | RegExp): Promise<void> =>
    this.page.getByRole('status').filter({ hasText: text }).first().waitFor({ timeout: PATIENCE_MS });

  /** From wherever the hands are, unless this is the screen before them; the heading of the new screen has the focus then. */
  readonly go = async (screen: string, heading = screen): Promise<void> => {
    const title = this.page.getByRole('heading', { level: 1, name: heading });
    if ((await title.count()) > 0) return;
    await this.hands.key('Control+k');
    await this.hands.within(this.list('Go to a screen'));
    await this.page.keyboard.type(screen);
    await this.page.getByRole('option', { name: screen, selected: true }).waitFor();
    await this.hands.key('Enter');
    await this.hands.within(title);
  };

  /** Closes the dialog that is open; what opened it has the focus again. */
  readonly shut = async (opener: Locator): Promise<void> => {
    await this.hands.within(this.dialog());
    await this.hands.key('Escape');
    await this.dialog().waitFor({ state: 'hidden' });
    await this.hands.at(opener);
  };

  /** Does a piece of work; one that fails leaves a picture, and the next one begins on a page without dialogs. */
  async do(name: string, work: (desk: Desk) => Promise<void>): Promise<void> {
    const begun = Date.now();
    const say = (outcome: string) => process.stderr.write(`${((Date.now() - begun) / 1000).toFixed(1)} s for "${name}"${outcome}\n`);
    try {
      await work(this);
      say('');
    } catch (error) {
      say(`: ${String(error)}`);
      await this.leaveEvidence(name.replaceAll(/\W+/gu, '-')).catch(() => undefined);
      throw error;
    }
  }

  private async leaveEvidence(name: string): Promise<void> {
    await this.page.screenshot({ path: path.join(this.evidence, `${name}.png`) });
    await this.page.goto(`${this.product.state.address}/admin`);
    await this.page.getByText('All Systems Operational').waitFor();
  }

  private get main(): Locator {
    return this.page.getByRole('main');
  }
}
