import { invalidInput } from './storage-failures';

export const AREAS = ['originals', 'processed', 'covers', 'frames'] as const;
export type ObjectArea = (typeof AREAS)[number];

/** Which files may be stored at all. Served types come from here, never from what a download claimed. */
const CONTENT_TYPES: Readonly<Record<string, string>> = {
  mp4: 'video/mp4',
  mov: 'video/quicktime',
  webm: 'video/webm',
  mkv: 'video/x-matroska',
  m4a: 'audio/mp4',
  jpg: 'image/jpeg',
  png: 'image/png',
  webp: 'image/webp',
  gif: 'image/gif',
  avif: 'image/avif',
};

const KEY = /^(originals|processed|covers|frames)\/([0-9a-f]{2})\/([0-9a-f]{64})\.([a-z0-9]{3,4})$/;
const PREFIX = /^(?:[a-z]{0,10}|(?:originals|processed|covers|frames)\/(?:[0-9a-f]{0,2}|[0-9a-f]{2}\/[0-9a-f]{0,64}))$/;

/** The key of a content; refuses areas, extensions and types outside the closed lists. */
export function contentKey(area: ObjectArea, sha256: string, extension: string): string {
  return parseKey(`${area}/${sha256.slice(0, 2)}/${sha256}.${extension}`).key;
}

/** Throws `invalid_input` before a byte is read when area, extension and type cannot be stored together. */
export function assertStorable(area: ObjectArea, contentType: string, extension: string): string {
  if (!(AREAS as readonly string[]).includes(area)) throw invalidInput(`There is no storage area "${printable(area)}".`);
  const expected = Object.hasOwn(CONTENT_TYPES, extension) ? CONTENT_TYPES[extension] : undefined;
  if (expected === undefined) throw invalidInput(`Files with the extension "${printable(extension)}" are not stored.`);
  const given = contentType.split(';')[0]?.trim().toLowerCase();
  if (given !== expected) {
    throw invalidInput(`A file with the extension "${extension}" is stored as ${expected}, not as "${printable(contentType)}".`);
  }
  return expected;
}

/** Splits a key into what it says; anything that is not exactly a key of ours is `invalid_input`, so no path can be smuggled in. */
export function parseKey(key: string): { key: string; area: ObjectArea; sha256: string; contentType: string } {
  const match = typeof key === 'string' ? KEY.exec(key) : null;
  const [, area, shard, sha256, extension] = match ?? [];
  const contentType = extension !== undefined && Object.hasOwn(CONTENT_TYPES, extension) ? CONTENT_TYPES[extension] : undefined;
  if (!area || !sha256 || !contentType || !sha256.startsWith(shard ?? '-')) {
    throw invalidInput(`"${printable(key)}" is not the key of a stored object.`);
  }
  return { key, area: area as ObjectArea, sha256, contentType };
}

export function isObjectKey(key: string): boolean {
  try {
    parseKey(key);
    return true;
  } catch {
    return false;
  }
}

export function assertPrefix(prefix: string): string {
  if (typeof prefix === 'string' && (PREFIX.test(prefix) || isObjectKey(prefix))) return prefix;
  throw invalidInput(`"${printable(prefix)}" is not the beginning of a key.`);
}

export function assertExpiry(expiresSeconds: number): number {
  // Seven days is the longest that S3's signature version 4 allows.
  if (Number.isInteger(expiresSeconds) && expiresSeconds >= 1 && expiresSeconds <= 604_800) return expiresSeconds;
  throw invalidInput('A signed link is valid for 1 second to 7 days.');
}

function printable(text: unknown): string {
  return String(text)
    .slice(0, 80)
    .replace(/[^\x20-\x7e]/g, '?');
}
