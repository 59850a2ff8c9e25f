import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';

/** A renewed access token as it may be stored: encrypted, and bound to the configured token that it took over from. */
export interface StoredToken {
  /** Tells which configured token it belongs to, without telling the token. */
  of: string;
  /** AES-256-GCM, base64url: nonce, tag, text. */
  sealed: string;
  /** ISO times. */
  renewedAt: string;
  expiresAt: string | null;
}

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Encrypts a renewed token with a key that is derived from `secret`; whoever has the database alone cannot read it. */
export function sealToken(
  renewed: { accessToken: string; expiresAt: string | null },
  configured: string,
  secret: string,
  now: Date,
): StoredToken {
  const key = keyOf(secret);
  const of = fingerprint(configured, key);
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(of));
  const text = Buffer.concat([cipher.update(renewed.accessToken, 'utf8'), cipher.final()]);
  const sealed = Buffer.concat([nonce, cipher.getAuthTag(), text]).toString('base64url');
  return { of, sealed, renewedAt: now.toISOString(), expiresAt: renewed.expiresAt };
}

/** The token, `null` where it belongs to another configured token or was sealed with another secret: then the configured one counts. */
export function openToken(stored: StoredToken, configured: string, secret: string): string | null {
  const key = keyOf(secret);
  if (stored.of !== fingerprint(configured, key)) return null;
  try {
    const bytes = Buffer.from(stored.sealed, 'base64url');
    const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE_BYTES));
    decipher.setAAD(Buffer.from(stored.of)).setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
    return decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES), undefined, 'utf8') + decipher.final('utf8');
  } catch {
    return null;
  }
}

export interface TokenTakeUp {
  /** As it was configured. */
  configured: string;
  /** What stored tokens are sealed with. */
  secret: string;
  read: () => Promise<StoredToken | null>;
  use: (accessToken: string) => void;
}

/**
 * Has the newest stored token used: another process may have renewed it, and the configured one ends all the same. Answers what is
 * stored, `null` where the configured token counts.
 */
export async function takeUpToken({ configured, secret, read, use }: TokenTakeUp): Promise<StoredToken | null> {
  const stored = await read();
  const token = stored && openToken(stored, configured, secret);
  if (stored === null || token === null) return null;
  use(token);
  return stored;
}

const keyOf = (secret: string): Buffer => Buffer.from(hkdfSync('sha256', secret, '', 'autoposter instagram access token', 32));

const fingerprint = (token: string, key: Buffer): string => createHmac('sha256', key).update(token).digest('base64url').slice(0, 22);
