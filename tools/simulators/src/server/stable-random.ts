import { createHash } from 'node:crypto';

/** Deterministic: ids, scores and pictures are the same in every run. */
export function hashNumber(seed: string): number {
  return createHash('sha256').update(seed).digest().readUInt32BE(0);
}

/** `length` characters of 0-9a-z. */
export function stableId36(seed: string, length: number): string {
  const value = BigInt(`0x${createHash('sha256').update(seed).digest('hex').slice(0, 24)}`);
  return value.toString(36).padStart(length, '0').slice(-length);
}

/** `length` decimal digits. */
export function stableDigits(seed: string, length: number): string {
  const value = BigInt(`0x${createHash('sha256').update(seed).digest('hex')}`);
  return value.toString().slice(-length).padStart(length, '7');
}

/** `length` characters of A-Za-z0-9-_. */
export function stableId64(seed: string, length: number): string {
  return createHash('sha256').update(seed).digest('base64url').slice(0, length);
}

export function stablePick<T>(seed: string, items: readonly T[]): T {
  const item = items[hashNumber(seed) % items.length];
  if (item === undefined) throw new RangeError('the list is empty');
  return item;
}

/** Pseudorandom numbers in [0, 1) (mulberry32). */
export function stableSequence(seed: string): () => number {
  let state = hashNumber(seed);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}
