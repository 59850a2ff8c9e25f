import { hkdfSync } from 'node:crypto';

/** Each purpose has its own key, so that a process that verifies one kind of token cannot forge another. */
export type KeyPurpose = 'session' | 'link' | 'sealing' | 'evidence';

/** 32 bytes each. The first one signs and seals; all of them verify and open. Empty where no key is configured. */
export type Keys = readonly Uint8Array[];

/** The sealing label is fixed: stored tokens were sealed with it. */
const LABELS: Record<KeyPurpose, string> = {
  session: 'autoposter session',
  link: 'autoposter media link',
  sealing: 'autoposter instagram access token',
  evidence: 'autoposter evidence bundle',
};

/** Marks a value that is a derived key, passed to a process without the secret behind it. */
const DERIVED = 'hkdf-sha256:';
const KEY_BYTES = 32;

interface KeySources {
  /** `SESSION_KEY` and the like. */
  own: string | undefined;
  ownPrevious: readonly string[];
  /** `JWT_SECRET`, used where the purpose has no key of its own. */
  shared: string | undefined;
  sharedPrevious: readonly string[];
}

/** These outlive any rotation, so what the key derived from `JWT_SECRET` sealed or signed still counts where the purpose has its own key. */
const LASTING: readonly KeyPurpose[] = ['sealing', 'evidence'];

export function keysOf(purpose: KeyPurpose, { own, ownPrevious, shared, sharedPrevious }: KeySources): Keys {
  const derived = LASTING.includes(purpose) && own !== undefined ? [shared] : [];
  const secrets = [own ?? shared, ...ownPrevious, ...derived, ...sharedPrevious].filter((secret) => secret !== undefined);
  return [...new Set(secrets)].map((secret) => toKey(secret, purpose));
}

const toKey = (secret: string, purpose: KeyPurpose): Uint8Array =>
  isDerived(secret)
    ? Buffer.from(secret.slice(DERIVED.length), 'base64url')
    : new Uint8Array(hkdfSync('sha256', secret, '', LABELS[purpose], KEY_BYTES));

/** The text of a variable for this key. */
export const asVariable = (key: Uint8Array): string => `${DERIVED}${Buffer.from(key).toString('base64url')}`;

export const isDerived = (secret: string): boolean =>
  secret.startsWith(DERIVED) && Buffer.from(secret.slice(DERIVED.length), 'base64url').length === KEY_BYTES;

const MIN_BITS = 90;
const MIN_DISTINCT = 10;

/**
 * Whether a secret may be random: a repeated character or pattern, a sequence (`abcdef…`) and few different characters are not. No measure
 * recognises every bad secret; this one refuses what people type.
 */
export function isRandomLooking(secret: string): boolean {
  if (new Set(secret).size < MIN_DISTINCT || (secret + secret).indexOf(secret, 1) < secret.length) return false;
  const codes = [...secret].map((character) => character.codePointAt(0) ?? 0);
  const steps = codes.slice(1).map((code, index) => code - (codes[index] ?? 0));
  return Math.min(bits(codes), bits(steps)) >= MIN_BITS;
}

/** Shannon entropy of all values, in bits. */
function bits(values: readonly number[]): number {
  const counts = new Map<number, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts.values()].reduce((sum, count) => sum - count * Math.log2(count / values.length), 0);
}
