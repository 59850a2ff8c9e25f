import fs from 'node:fs';
import path from 'node:path';
import type { RunningProduct } from '@autoposter/testkit';
import type { Page } from 'playwright-core';

/**
 * Defines steps that build on each other: after a failed one, the next fail without running. A failure stores a screenshot, the output and the
 * logs in `folder`.
 */
export function journeySteps(
  folder: string,
  running: () => { product: RunningProduct; page: Page },
): (name: string, run: () => Promise<void>) => void {
  let failed = false;
  return (name, run) =>
    it(name, async () => {
      if (failed) throw new Error('An earlier step failed.');
      try {
        await run();
      } catch (error) {
        failed = true;
        const { product, page } = running();
        const screenshot = path.join(folder, 'failed.png');
        await page.screenshot({ path: screenshot, fullPage: true }).catch(() => undefined);
        fs.writeFileSync(path.join(folder, 'failed.txt'), `${product.output}\n${product.logs()}\n`);
        process.stderr.write(`Failure captured in ${screenshot}, ${folder}/failed.txt\n`);
        throw error;
      }
    });
}

export async function openScreen(page: Page, screen: string): Promise<void> {
  await page.getByRole('navigation').getByRole('link', { name: screen }).click();
  await page.getByRole('heading', { name: screen, level: 1 }).waitFor();
}

/** Adds links one by one, for the download or for the whole pipeline. */
export async function addLinks(page: Page, links: readonly string[], { complete }: { complete: boolean }): Promise<void> {
  await openScreen(page, 'URL Manager');
  await page.getByLabel('Post URLs, one per line').fill(links.join('\n'));
  if (complete) await page.getByLabel(/^Auto-process through complete pipeline/).check();
  await page.getByRole('button', { name: complete ? 'Process Complete Pipeline' : 'Add URLs' }).click();
  await page.getByText(`Successfully processed ${links.length} URL(s)`).waitFor();
}

/** By link, because an item that could not be read has no title. */
export const itemRow = (page: Page, link: string) =>
  page.getByRole('article').filter({ has: page.locator(`a[href*="${/\/comments\/[^/]+/.exec(link)?.[0]}"]`) });
