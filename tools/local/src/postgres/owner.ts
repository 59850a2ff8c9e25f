import fs from 'node:fs';
import path from 'node:path';
import { PlainStop } from '../plain-stop';

export interface Owner {
  uid: number;
  gid: number;
}

/** PostgreSQL refuses to run as root. These accounts exist nearly everywhere, so that none has to be made. */
const UNPRIVILEGED = ['postgres', 'nobody', 'daemon'];

/** The account that the server runs as, `null` where that is simply us. */
export function serverOwner(passwd = '/etc/passwd', isRoot = process.getuid?.() === 0): Owner | null {
  if (!isRoot) return null;
  const accounts = new Map(
    fs
      .readFileSync(passwd, 'utf8')
      .split('\n')
      .map((line) => line.split(':'))
      .map(([name, , uid, gid]) => [name, { uid: Number(uid), gid: Number(gid) }]),
  );
  for (const name of UNPRIVILEGED) {
    const account = accounts.get(name);
    if (account !== undefined && account.uid > 0) return account;
  }
  throw new PlainStop(
    `PostgreSQL cannot run as root, and none of the accounts ${UNPRIVILEGED.join(', ')} exists: start as another user, or set DATABASE_URL.`,
  );
}

/**
 * True if that account can walk from the root folder down to this one, through symbolic links as well: it needs the way to a link and the
 * way to its target. Folders that do not exist yet count as reachable.
 */
export function canReach(folder: string, owner: Owner): boolean {
  const wanted = path.resolve(folder);
  return isOpen(wanted, owner) && isOpen(withoutLinks(wanted), owner);
}

function isOpen(folder: string, owner: Owner): boolean {
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
