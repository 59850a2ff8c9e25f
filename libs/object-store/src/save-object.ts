import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import type { ObjectStore } from './object-store.port';

/** Copies an object to a file and returns its SHA-256. Fails like `get` and its stream do: at the end, if the content is not what was stored. */
export async function saveObject(objects: ObjectStore, key: string, path: string, signal: AbortSignal): Promise<string> {
  const { stream, sha256 } = await objects.get(key);
  await pipeline(stream, createWriteStream(path), { signal });
  return sha256;
}
