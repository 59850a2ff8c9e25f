import { createHmac, timingSafeEqual } from 'node:crypto';

/**
 * Signed paths that serve one object without a session until they expire. The signature covers key and expiry.
 */
export class PublicLinks {
  private readonly keys: readonly Buffer[];

  /** The first key signs, all of them verify. */
  constructor(keys: readonly Uint8Array[]) {
    if (keys.length === 0) throw new Error('signing media links requires a key');
    this.keys = keys.map((key) => createHmac('sha256', key).update('public media').digest());
  }

  /** Path below `CDN_BASE_URL`. */
  path(objectKey: string, expiresSeconds: number, now: Date): string {
    const expires = Math.floor(now.getTime() / 1000) + expiresSeconds;
    return `/media/${expires}/${this.signature(objectKey, String(expires))}/${objectKey}`;
  }

  opens(objectKey: string, expires: string, signature: string, now: Date): boolean {
    if (!/^\d{1,12}$/.test(expires) || Number(expires) * 1000 <= now.getTime()) return false;
    const given = Buffer.from(signature);
    return this.keys.some((key) => {
      const wanted = Buffer.from(this.signature(objectKey, expires, key));
      return given.length === wanted.length && timingSafeEqual(given, wanted);
    });
  }

  private signature(objectKey: string, expires: string, key = this.keys[0] as Buffer): string {
    return createHmac('sha256', key).update(`${objectKey}:${expires}`).digest('base64url');
  }
}
