import fs from 'node:fs';
import path from 'node:path';
import type { Violation } from './check';

interface Entry {
  version?: string;
  optionalDependencies?: Record<string, string>;
}
type Packages = Readonly<Record<string, Entry>>;

/**
 * Binaries for other platforms are optional dependencies. When the lock file lacks one, `npm ci` refuses the lock file on a machine of
 * that platform, and newer npm versions refuse it everywhere.
 */
export const lock = {
  name: 'lock',
  async run(root: string): Promise<Violation[]> {
    const text = fs.readFileSync(path.join(root, 'package-lock.json'), 'utf8');
    return missingPlatforms((JSON.parse(text) as { packages: Packages }).packages);
  },
};

export function missingPlatforms(packages: Packages): Violation[] {
  return Object.entries(packages).flatMap(([place, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies)
      .filter((name) => !isFound(packages, place, name))
      .map((name) => ({
        file: 'package-lock.json',
        rule: `${name}, an optional part of ${place.replace(/^.*node_modules\//, '')}, is not in the lock file`,
        fix: 'Pin that package (overrides in package.json) to a version with all platforms published, and update the lock file.',
      })),
  );
}

/** Node's resolution: the package's own node_modules, then each one above it. */
function isFound(packages: Packages, place: string, name: string): boolean {
  for (let at = place; ; at = at.includes('/node_modules/') ? at.slice(0, at.lastIndexOf('/node_modules/')) : '') {
    if (packages[`${at === '' ? '' : `${at}/`}node_modules/${name}`] !== undefined) return true;
    if (at === '') return false;
  }
}
