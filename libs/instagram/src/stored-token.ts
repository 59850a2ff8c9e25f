import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto';

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

/** Keys of 32 bytes: the first one seals, all of them open. */
export type SealingKeys = readonly Uint8Array[];

/** Encrypts a renewed token with the current key; whoever has the database alone cannot read it. */
export function sealToken(
  renewed: { accessToken: string; expiresAt: string | null },
  configured: string,
  [key]: SealingKeys,
  now: Date,
): StoredToken {
  if (key === undefined) throw new Error('there is no key to seal the token with');
  const of = fingerprint(configured, key);
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(of));
  const text = Buffer.concat([cipher.update(renewed.accessToken, 'utf8'), cipher.final()]);
  const sealed = Buffer.concat([nonce, cipher.getAuthTag(), text]).toString('base64url');
  return { of, sealed, renewedAt: now.toISOString(), expiresAt: renewed.expiresAt };
}

/** The token, `null` where it belongs to another configured token or was sealed with another key: then the configured one counts. */
export function openToken(stored: StoredToken, configured: string, keys: SealingKeys): string | null {
  for (const key of keys) {
    const token = openWith(key, stored, configured);
    if (token !== null) return token;
  }
  return null;
}

/** Whether the current key sealed it; one that a previous key sealed is to be sealed anew before that key goes. */
export const isSealedWithCurrent = (stored: StoredToken, configured: string, keys: SealingKeys): boolean =>
  keys[0] !== undefined && stored.of === fingerprint(configured, keys[0]);

function openWith(key: Uint8Array, stored: StoredToken, configured: string): string | null {
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
  keys: SealingKeys;
  read: () => Promise<StoredToken | null>;
  use: (accessToken: string) => void;
}

/**
 * Has the newest stored token used: another process may have renewed it, and the configured one ends all the same. Answers what is
 * stored and its token, `null` where the configured token counts.
 */
export async function takeUpToken({
  configured,
  keys,
  read,
  use,
}: TokenTakeUp): Promise<{ stored: StoredToken; accessToken: string } | null> {
  const stored = await read();
  const token = stored && openToken(stored, configured, keys);
  if (stored === null || token === null) return null;
  use(token);
  return { stored, accessToken: token };
}

const fingerprint = (token: string, key: Uint8Array): string => createHmac('sha256', key).update(token).digest('base64url').slice(0, 22);
