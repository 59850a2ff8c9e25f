import { createHmac, timingSafeEqual } from 'node:crypto';

/**
 * Addresses under which one object can be fetched without a session until they expire. The signature covers the key and the end of the
 * time, so that neither can be changed.
 */
export class PublicLinks {
  private readonly key: Buffer;

  constructor(secret: string) {
    this.key = createHmac('sha256', secret).update('public media').digest();
  }

  /** Path below `CDN_BASE_URL`. */
  path(objectKey: string, expiresSeconds: number, now: Date): string {
    const expires = Math.floor(now.getTime() / 1000) + expiresSeconds;
    return `/media/${expires}/${this.signature(objectKey, String(expires))}/${objectKey}`;
  }

  opens(objectKey: string, expires: string, signature: string, now: Date): boolean {
    if (!/^\d{1,12}$/.test(expires) || Number(expires) * 1000 <= now.getTime()) return false;
    const given = Buffer.from(signature);
    const wanted = Buffer.from(this.signature(objectKey, expires));
    return given.length === wanted.length && timingSafeEqual(given, wanted);
  }

  private signature(objectKey: string, expires: string): string {
    return createHmac('sha256', this.key).update(`${objectKey}:${expires}`).digest('base64url');
  }
}
