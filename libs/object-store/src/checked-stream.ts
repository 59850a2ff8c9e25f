import { createHash } from 'node:crypto';
import type { ObjectRange } from './object-store.port';
import { damaged, invalidInput } from './storage-failures';

/** Turns a wanted range into first byte and length; a range outside the object is `invalid_input`. */
export function resolveRange(range: ObjectRange | undefined, total: number): { start: number; bytes: number; whole: boolean } {
  const start = range?.start ?? 0;
  const end = Math.min(range?.end ?? total - 1, total - 1);
  if (!Number.isSafeInteger(start) || !Number.isSafeInteger(end) || start < 0 || start >= total || end < start) {
    throw invalidInput(`The range ${start}-${range?.end ?? ''} lies outside the ${total} bytes of the object.`);
  }
  return { start, bytes: end - start + 1, whole: start === 0 && end === total - 1 };
}

/**
 * Passes bytes through and fails with `integrity` when fewer or more than `bytes` came, or when `sha256` is given and the content has another
 * hash. The failure comes as the end of the stream, never as a quiet short read.
 */
export async function* checkedStream(
  key: string,
  source: AsyncIterable<Uint8Array>,
  bytes: number,
  sha256: string | null,
): AsyncGenerator<Uint8Array, void, undefined> {
  const hash = sha256 === null ? null : createHash('sha256');
  let seen = 0;
  for await (const chunk of source) {
    seen += chunk.byteLength;
    if (seen > bytes) throw damaged(key, 'it is longer than it was when stored', { expected: bytes });
    hash?.update(chunk);
    yield chunk;
  }
  if (seen !== bytes) throw damaged(key, 'it ended early', { expected: bytes, got: seen });
  if (hash && hash.digest('hex') !== sha256) throw damaged(key, 'its content is not what was stored');
}
