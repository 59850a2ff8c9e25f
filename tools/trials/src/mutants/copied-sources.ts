import { chmodSync, cpSync, mkdirSync, symlinkSync } from 'node:fs';
import { basename, join } from 'node:path';
import { temporaryFolder } from '@autoposter/testkit';
import { ROOT } from '../trial';

/** What specs and bundles read; packages are linked. */
const COPIED = ['apps', 'libs', 'tools', 'docker', 'jest.config.mjs', 'nx.json', 'package.json', 'tsconfig.base.json'];
const NOT_COPIED = new Set(['node_modules', 'dist']);

/** Copied, not linked: a checkout may itself be linked, and a write through a link would change the original. */
export function copySources(): string {
  const copy = temporaryFolder('mutants');
  // the account of an embedded server has to enter it
  chmodSync(copy, 0o755);
  for (const name of COPIED)
    cpSync(join(ROOT, name), join(copy, name), { recursive: true, filter: (source) => !NOT_COPIED.has(basename(source)) });
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
  mkdirSync(join(copy, 'tmp'));
  return copy;
}
