import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The root of the checkout, found from where this code runs: as a source below `libs` or bundled below `dist`. */
export function checkoutRoot(): string {
  for (let at = __dirname; ; at = dirname(at)) {
    if (existsSync(join(at, 'nx.json'))) return at;
    if (at === dirname(at)) throw new Error(`${__dirname} is in no checkout`);
  }
}
