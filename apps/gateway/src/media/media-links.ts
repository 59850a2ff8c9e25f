import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Session } from '../auth/session-tokens';

export type MediaKind = 'video' | 'cover';

interface SignedQuery {
  file: number;
  expires?: number;
  session?: string;
  signature?: string;
}

interface Signed {
  kind: MediaKind;
  itemId: string;
  file: number;
  expires: number;
  session: string;
  email: string;
}

const HOUR_SECONDS = 3600;

/**
 * Addresses of media for `<video>` and `<img>`, which cannot send a bearer token. An address stays the same for a whole hour, so that a
 * list that is read again does not restart what plays, and works for one to two hours, while its session lasts.
 */
export class MediaLinks {
  private readonly keys: readonly Buffer[];

  /** The first key signs, all of them verify. `holder` is the session that the addresses are made for. */
  constructor(
    keys: readonly Uint8Array[],
    private readonly holder: () => Pick<Session, 'sessionId' | 'email' | 'expiresAt'> | null,
  ) {
    if (keys.length === 0) throw new Error('there is no key to sign media links with');
    this.keys = keys.map((key) => createHmac('sha256', key).update('media links').digest());
  }

  to(kind: MediaKind, itemId: string, file: number, now: Date): string {
    const holder = this.holder();
    if (holder === null) throw new Error('a media address is made for a session, and there is none');
    const { sessionId: session, email, expiresAt } = holder;
    const hourly = (Math.floor(now.getTime() / 1000 / HOUR_SECONDS) + 2) * HOUR_SECONDS;
    const expires = Math.min(hourly, Math.floor(expiresAt.getTime() / 1000));
    const query = new URLSearchParams({ ...(file > 0 ? { file: String(file) } : {}), expires: String(expires), session });
    query.set('signature', this.signature({ kind, itemId, file, expires, session, email }));
    return `/api/media/${kind}/${itemId}?${query.toString()}`;
  }

  /** Whether the address was made for one of `admins` and has not expired. Whether its session was ended is for the caller to look up. */
  opens(kind: MediaKind, itemId: string, query: SignedQuery, admins: readonly string[], now: Date): boolean {
    const { file, expires, session, signature } = query;
    if (expires === undefined || session === undefined || signature === undefined || expires * 1000 <= now.getTime()) return false;
    const given = Buffer.from(signature);
    const signed = admins.flatMap((email) => this.keys.map((key) => ({ email, key })));
    return signed.some(({ email, key }) => {
      const wanted = Buffer.from(this.signature({ kind, itemId, file, expires, session, email }, key));
      return given.length === wanted.length && timingSafeEqual(given, wanted);
    });
  }

  /** The e-mail address is signed and not shown: an address stops working when its holder leaves the admin list. */
  private signature({ kind, itemId, file, expires, session, email }: Signed, key = this.keys[0] as Buffer): string {
    return createHmac('sha256', key).update(`${kind}:${itemId}:${file}:${expires}:${session}:${email}`).digest('base64url');
  }
}
