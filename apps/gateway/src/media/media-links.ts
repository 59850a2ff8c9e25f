import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Session } from '../auth/session-tokens';

export type MediaKind = 'video' | 'cover' | 'uploaded-cover' | 'compared';

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
const MEDIA_URL = /^\/api\/media\/(video|cover|uploaded-cover|compared)\/([\da-f-]{36})\?/u;

/**
 * Signed media URLs for `<video>` and `<img>`, which cannot send a bearer token. A URL is stable for an hour, so that polling a list does
 * not restart playback, and is valid for one to two hours within its session.
 */
export class MediaLinks {
  private readonly keys: readonly Buffer[];

  /** The first key signs; all of them verify. `holder` returns the session that a URL is issued for. */
  constructor(
    keys: readonly Uint8Array[],
    private readonly holder: () => Pick<Session, 'sessionId' | 'email' | 'expiresAt'> | null,
    private readonly now: () => Date,
  ) {
    if (keys.length === 0) throw new Error('no media link key is configured');
    this.keys = keys.map((key) => createHmac('sha256', key).update('media links').digest());
  }

  to(kind: MediaKind, itemId: string, file: number): string {
    const holder = this.holder();
    if (holder === null) throw new Error('a media URL requires a session');
    const { sessionId: session, email, expiresAt } = holder;
    const hourly = (Math.floor(this.now().getTime() / 1000 / HOUR_SECONDS) + 2) * HOUR_SECONDS;
    const expires = Math.min(hourly, Math.floor(expiresAt.getTime() / 1000));
    const query = new URLSearchParams({ ...(file > 0 ? { file: String(file) } : {}), expires: String(expires), session });
    query.set('signature', this.signature({ kind, itemId, file, expires, session, email }));
    return `/api/media/${kind}/${itemId}?${query.toString()}`;
  }

  /** A copy of a response with media URLs signed for the current session. */
  reissued(response: unknown): unknown {
    return JSON.parse(JSON.stringify(response ?? null), (_name, value: unknown) => {
      const [, kind, itemId] = (typeof value === 'string' && MEDIA_URL.exec(value)) || [];
      if (kind === undefined || itemId === undefined) return value;
      const file = new URLSearchParams((value as string).split('?')[1]).get('file');
      return this.to(kind as MediaKind, itemId, Number(file ?? 0));
    }) as unknown;
  }

  /** Whether the URL was issued for one of `admins` and has not expired. The caller must check whether its session was revoked. */
  isValid(kind: MediaKind, itemId: string, query: SignedQuery, admins: readonly string[]): boolean {
    const { file, expires, session, signature } = query;
    if (expires === undefined || session === undefined || signature === undefined || expires * 1000 <= this.now().getTime()) return false;
    const given = Buffer.from(signature);
    const signed = admins.flatMap((email) => this.keys.map((key) => ({ email, key })));
    return signed.some(({ email, key }) => {
      const wanted = Buffer.from(this.signature({ kind, itemId, file, expires, session, email }, key));
      return given.length === wanted.length && timingSafeEqual(given, wanted);
    });
  }

  /** Signs the e-mail address without including it: a URL becomes invalid when its holder leaves the admin list. */
  private signature({ kind, itemId, file, expires, session, email }: Signed, key = this.keys[0] as Buffer): string {
    return createHmac('sha256', key).update(`${kind}:${itemId}:${file}:${expires}:${session}:${email}`).digest('base64url');
  }
}
