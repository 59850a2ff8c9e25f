import { createHmac, timingSafeEqual } from 'node:crypto';

export type MediaKind = 'video' | 'cover';

const HOUR_SECONDS = 3600;

/**
 * Addresses of media for `<video>` and `<img>`, which cannot send a bearer token. An address stays the same for a whole hour, so that a
 * list that is read again does not restart what plays, and works for one to two hours.
 */
export class MediaLinks {
  private readonly keys: readonly Buffer[];

  /** The first key signs, all of them verify. */
  constructor(keys: readonly Uint8Array[]) {
    if (keys.length === 0) throw new Error('there is no key to sign media links with');
    this.keys = keys.map((key) => createHmac('sha256', key).update('media links').digest());
  }

  to(kind: MediaKind, itemId: string, file: number, now: Date): string {
    const expires = (Math.floor(now.getTime() / 1000 / HOUR_SECONDS) + 2) * HOUR_SECONDS;
    const query = new URLSearchParams({ ...(file > 0 ? { file: String(file) } : {}), expires: String(expires) });
    query.set('signature', this.signature(kind, itemId, file, expires));
    return `/api/media/${kind}/${itemId}?${query.toString()}`;
  }

  opens(kind: MediaKind, itemId: string, query: { file: number; expires?: number; signature?: string }, now: Date): boolean {
    const { file, expires, signature } = query;
    if (expires === undefined || signature === undefined || expires * 1000 <= now.getTime()) return false;
    const given = Buffer.from(signature);
    return this.keys.some((key) => {
      const wanted = Buffer.from(this.signature(kind, itemId, file, expires, key));
      return given.length === wanted.length && timingSafeEqual(given, wanted);
    });
  }

  private signature(kind: MediaKind, itemId: string, file: number, expires: number, key = this.keys[0] as Buffer): string {
    return createHmac('sha256', key).update(`${kind}:${itemId}:${file}:${expires}`).digest('base64url');
  }
}
