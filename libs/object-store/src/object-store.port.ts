import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { invalidInput } from './storage-failures';

export interface StoredObject {
  /** `<area>/<first two hex digits>/<sha256>.<extension>`; content-addressed, so storing twice is harmless. */
  key: string;
  bytes: number;
  /** Lower-case hex of the whole content. */
  sha256: string;
  contentType: string;
}

export interface ObjectRange {
  /** First byte, counted from 0. */
  start: number;
  /** Last byte, inclusive; default and maximum: the end of the object. */
  end?: number;
}

export interface ObjectRead {
  /** Opens the object at the first read, so an unused stream holds no resources. */
  stream: AsyncIterable<Uint8Array>;
  /** Length of the stream. */
  bytes: number;
  /** Bytes of the whole object. */
  total: number;
  /** Of the whole object. */
  sha256: string;
  contentType: string;
}

export interface ListedObject {
  key: string;
  bytes: number;
  modifiedAt: Date;
}

/**
 * Storage of media files. Every failure is a `PipelineError` with side `storage`; an error thrown by the source of a `put` passes through unchanged.
 */
export interface ObjectStore {
  /**
   * Stores a stream under its SHA-256 with bounded memory; a partial object is never visible. `extension` and `contentType` must match in the
   * closed list of media files (`invalid_input` otherwise). More than `limitBytes` is `too_large`, an empty stream `corrupt_media`, a nearly full disk
   * `transient`.
   */
  put(
    area: ObjectArea,
    source: AsyncIterable<Uint8Array>,
    contentType: string,
    extension: string,
    limitBytes?: number,
  ): Promise<StoredObject>;
  /**
   * Reads an object or a range of it. Throws `not_found` if it is missing and `integrity` if its length differs from the stored one. The stream of a whole
   * object fails with `integrity` at its end if the hash differs from the key, so do not use the content before.
   */
  get(key: string, range?: ObjectRange): Promise<ObjectRead>;
  /** Returns `null` if the object does not exist; throws `integrity` if it is truncated. */
  stat(key: string): Promise<StoredObject | null>;
  /** Succeeds if the object does not exist. */
  delete(key: string): Promise<void>;
  /** A URL that reads this object until it expires (1 second to 7 days); `null` if the store has no public address. */
  signedReadUrl(key: string, expiresSeconds: number): Promise<string | null>;
  /** All objects whose key starts with `prefix`, without unfinished uploads. */
  list(prefix: string): AsyncIterable<ListedObject>;
  health(): Promise<{ ok: boolean; detail: string }>;
}

export interface StoreLogger {
  warn(fields: object, message: string): void;
}

export const AREAS = ['originals', 'processed', 'covers', 'frames'] as const;
export type ObjectArea = (typeof AREAS)[number];

/** File types that may be stored. Served content types come from this list, never from a download. */
const CONTENT_TYPES: Readonly<Record<string, string>> = {
  mp4: 'video/mp4',
  mov: 'video/quicktime',
  webm: 'video/webm',
  mkv: 'video/x-matroska',
  m4a: 'audio/mp4',
  mp3: 'audio/mpeg',
  aac: 'audio/aac',
  wav: 'audio/wav',
  flac: 'audio/flac',
  ogg: 'audio/ogg',
  jpg: 'image/jpeg',
  png: 'image/png',
  webp: 'image/webp',
  gif: 'image/gif',
  avif: 'image/avif',
  heic: 'image/heic',
  pdf: 'application/pdf',
  eml: 'message/rfc822',
  txt: 'text/plain',
};

const KEY = /^(originals|processed|covers|frames)\/([0-9a-f]{2})\/([0-9a-f]{64})\.([a-z0-9]{3,4})$/;
const PREFIX = /^(?:[a-z]{0,10}|(?:originals|processed|covers|frames)\/(?:[0-9a-f]{0,2}|[0-9a-f]{2}\/[0-9a-f]{0,64}))$/;

/** The key of content with this hash. */
export function contentKey(area: ObjectArea, sha256: string, extension: string): string {
  return parseKey(`${area}/${sha256.slice(0, 2)}/${sha256}.${extension}`).key;
}

/** Throws `invalid_input` unless area, extension and content type match. Returns the content type. */
export function assertStorable(area: ObjectArea, contentType: string, extension: string): string {
  if (!(AREAS as readonly string[]).includes(area)) throw invalidInput(`Unknown storage area "${printable(area)}".`);
  const expected = Object.hasOwn(CONTENT_TYPES, extension) ? CONTENT_TYPES[extension] : undefined;
  if (expected === undefined) throw invalidInput(`Files with the extension "${printable(extension)}" are not stored.`);
  const given = contentType.split(';')[0]?.trim().toLowerCase();
  if (given !== expected) {
    throw invalidInput(`A file with the extension "${extension}" is stored as ${expected}, not as "${printable(contentType)}".`);
  }
  return expected;
}

/** The parts of a key. Any other text is `invalid_input`, which prevents path traversal. */
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
  throw invalidInput(`"${printable(prefix)}" is not the prefix of a key.`);
}

export function assertExpiry(expiresSeconds: number): number {
  // the maximum of S3's signature version 4 is seven days
  if (Number.isInteger(expiresSeconds) && expiresSeconds >= 1 && expiresSeconds <= 604_800) return expiresSeconds;
  throw invalidInput('A signed link is valid for 1 second to 7 days.');
}

function printable(text: unknown): string {
  return String(text)
    .slice(0, 80)
    .replace(/[^\x20-\x7e]/g, '?');
}

/** Copies an object to a file and returns its SHA-256. Fails like `get` and its stream do: at the end, if the content is not what was stored. */
export async function saveObject(objects: ObjectStore, key: string, path: string, signal: AbortSignal): Promise<string> {
  const { stream, sha256 } = await objects.get(key);
  await pipeline(stream, createWriteStream(path), { signal });
  return sha256;
}
