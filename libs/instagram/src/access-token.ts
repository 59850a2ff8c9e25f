import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto';
import type { LoginFlavour } from '@autoposter/contracts';
import { objectIn, PipelineError } from '@autoposter/domain';
import type { GraphApi } from './graph-api';

export interface RenewedToken {
  accessToken: string;
  expiresAt: string | null;
}

interface AppCredentials {
  appId?: string;
  appSecret?: string;
}

/**
 * A token that is valid for about 60 more days. Instagram Login renews one that is at least 24 hours old and still valid. Throws
 * `not_offered` with Facebook Login, which has no renewal: a person signs in again, or uses a token of a Page or a system user, which does
 * not expire (business-login reference).
 */
export async function refreshAccessToken(api: GraphApi, flavour: LoginFlavour): Promise<RenewedToken> {
  if (flavour === 'facebook') throw PipelineError.of('token_not_renewable');
  return read(api, await api.getUnversioned('/refresh_access_token', { grant_type: 'ig_refresh_token', access_token: api.accessToken }));
}

interface TokenFacts {
  /** ISO time; `null` for a token that does not expire, as those of Pages and system users. */
  expiresAt: string | null;
  /** Whether it may publish; `null` where the platform does not say. */
  mayPublish: boolean | null;
}

/**
 * What the platform says about the token; `null` where it cannot be asked: Instagram Login has no call for it, and Facebook Login needs the
 * application's id and secret.
 */
export async function inspectToken(api: GraphApi, flavour: LoginFlavour, app: AppCredentials): Promise<TokenFacts | null> {
  if (flavour === 'instagram' || !app.appId || !app.appSecret) return null;
  const answer = await api.getUnversioned('/debug_token', { input_token: api.accessToken, access_token: `${app.appId}|${app.appSecret}` });
  const { expires_at: expiresAt, scopes } = objectIn(answer['data']);
  return {
    expiresAt: typeof expiresAt === 'number' && expiresAt > 0 ? new Date(expiresAt * 1000).toISOString() : null,
    mayPublish: Array.isArray(scopes) ? scopes.includes('instagram_content_publish') : null,
  };
}

function read(api: GraphApi, answer: Record<string, unknown>): RenewedToken {
  const token = answer['access_token'];
  if (typeof token !== 'string' || token === '') throw PipelineError.of('token_renewal_empty');
  const seconds = answer['expires_in'];
  return { accessToken: token, expiresAt: typeof seconds === 'number' ? new Date(api.now() + seconds * 1000).toISOString() : null };
}

/** A renewed access token as it is stored: encrypted, and bound to the configured token that it replaces. */
export interface StoredToken {
  /** Keyed fingerprint of the configured token. */
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

/** Encrypts a renewed token with the current key, so that the database alone does not reveal it. */
export function sealToken(
  renewed: { accessToken: string; expiresAt: string | null },
  configured: string,
  [key]: SealingKeys,
  now: Date,
): StoredToken {
  if (key === undefined) throw new Error('no key to seal the token with');
  const of = fingerprint(configured, key);
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(of));
  const text = Buffer.concat([cipher.update(renewed.accessToken, 'utf8'), cipher.final()]);
  const sealed = Buffer.concat([nonce, cipher.getAuthTag(), text]).toString('base64url');
  return { of, sealed, renewedAt: now.toISOString(), expiresAt: renewed.expiresAt };
}

/** The token, `null` where it belongs to another configured token or was sealed with another key: then the configured one is used. */
export function openToken(stored: StoredToken, configured: string, keys: SealingKeys): string | null {
  for (const key of keys) {
    const token = openWith(key, stored, configured);
    if (token !== null) return token;
  }
  return null;
}

/** Whether the current key sealed it; a token sealed with a previous key has to be sealed again before that key is removed. */
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

interface TokenTakeUp {
  /** As it was configured. */
  configured: string;
  keys: SealingKeys;
  read: () => Promise<StoredToken | null>;
  use: (accessToken: string) => void;
}

/**
 * Switches to the newest stored token: another process may have renewed it, and the configured one expires. Returns what is stored and its
 * token, `null` where the configured token stays in use.
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
