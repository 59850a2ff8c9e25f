import fs from 'node:fs';
import path from 'node:path';
import type { Offence } from './offence';

interface Entry {
  version?: string;
  optionalDependencies?: Record<string, string>;
}
export type Packages = Readonly<Record<string, Entry>>;

/**
 * Programs for other platforms are optional dependencies. Where one of them is not in the lock, `npm ci` refuses the whole lock on a
 * machine that would need it, and newer npm versions refuse it everywhere.
 */
export const lock = {
  name: 'lock',
  async run(root: string): Promise<Offence[]> {
    const text = fs.readFileSync(path.join(root, 'package-lock.json'), 'utf8');
    return missingPlatforms((JSON.parse(text) as { packages: Packages }).packages);
  },
};

export function missingPlatforms(packages: Packages): Offence[] {
  return Object.entries(packages).flatMap(([place, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies)
      .filter((name) => !isFound(packages, place, name))
      .map((name) => ({
        file: 'package-lock.json',
        rule: `${name}, an optional part of ${place.replace(/^.*node_modules\//, '')}, is not in the lock`,
        fix: 'Pin that package (overrides in package.json) to a version whose parts are all published, and renew the lock.',
      })),
  );
}

/** As Node looks for a package: in the package's own node_modules, then in each one above it. */
function isFound(packages: Packages, place: string, name: string): boolean {
  for (let at = place; ; at = at.includes('/node_modules/') ? at.slice(0, at.lastIndexOf('/node_modules/')) : '') {
    if (packages[`${at === '' ? '' : `${at}/`}node_modules/${name}`] !== undefined) return true;
    if (at === '') return false;
  }
}
