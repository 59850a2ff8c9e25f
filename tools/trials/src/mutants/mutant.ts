import { chmodSync, cpSync, mkdirSync, symlinkSync } from 'node:fs';
import { basename, join } from 'node:path';
import { temporaryFolder } from '@autoposter/testkit';
import { ROOT } from '../trial';

/** A realistic defect, as a change of one place in a source file. */
export interface Mutant {
  id: string;
  file: string;
  /** Occurs exactly once in the file. */
  find: string;
  replace: string;
  /** What the change breaks, in one sentence. */
  defect: string;
  /** The specs that must fail. */
  specs: readonly string[];
  /** The one test to run of specs that take long. */
  test?: string;
  /** Why no test can fail; absent for a mutant that must be killed. */
  survives?: string;
}

type Change = Pick<Mutant, 'find' | 'replace' | 'defect' | 'test' | 'survives'>;

/** Mutants of one file by their id, all with the same specs. */
export const inFile = (file: string, specs: readonly string[], changes: Readonly<Record<string, Change>>): Mutant[] =>
  Object.entries(changes).map(([id, change]) => ({ id, file, specs, ...change }));

export type Defect = Pick<Mutant, 'id' | 'file' | 'find' | 'replace'>;

/** The source with the defect. */
export function plantDefect({ id, file, find, replace }: Defect, source: string): string {
  const parts = source.split(find);
  if (parts.length !== 2) throw new Error(`${id}: its text occurs ${parts.length - 1} times in ${file} instead of once`);
  return parts.join(replace);
}

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
