import { createHash, randomUUID } from 'node:crypto';
import { createReadStream, type ReadStream } from 'node:fs';
import { mkdir, open, opendir, rm, stat, statfs, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { PipelineError } from '@autoposter/domain';
import type { ObjectRange } from './object-store.port';
import { damaged, diskNearlyFull, errorCode, fileSystemFailure, invalidInput, tooLarge } from './storage-failures';

interface ReceivedFile {
  path: string;
  bytes: number;
  sha256: string;
}

const CHECK_DISK_EVERY_BYTES = 32 * 1024 * 1024;
const TEMPORARY = /^[0-9a-f-]{36}\.part$/;

/** A chunk costs several changes of threads whatever its size, which is more than to read, hash and write the 64 KiB of Node's default. */
const CHUNK_BYTES = 256 * 1024;

/** Reads a file, or the part from `start` to `end` inclusive. */
export const readFileStream = (path: string, part: { start?: number; end?: number } = {}): ReadStream =>
  createReadStream(path, { ...part, highWaterMark: CHUNK_BYTES });

/**
 * Writes a stream to a new file in `folder` and hashes it; syncs the file before it returns and removes it after a failure. Keeps at least
 * `minimumFreeBytes` free on that disk.
 */
export async function receiveFile(
  source: AsyncIterable<Uint8Array>,
  folder: string,
  limits: { limitBytes?: number; minimumFreeBytes: number },
): Promise<ReceivedFile> {
  const path = join(folder, `${randomUUID()}.part`);
  const file = await attempt('creating a file', async () => {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await assertFreeSpace(folder, limits.minimumFreeBytes);
    return open(path, 'wx', 0o600);
  });
  try {
    const hash = createHash('sha256');
    let bytes = 0;
    let uncheckedBytes = 0;
    for await (const chunk of source) {
      bytes += chunk.byteLength;
      if (limits.limitBytes !== undefined && bytes > limits.limitBytes) throw tooLarge(limits.limitBytes);
      hash.update(chunk);
      await attempt('writing a file', () => writeAll(file, chunk));
      uncheckedBytes += chunk.byteLength;
      if (uncheckedBytes >= CHECK_DISK_EVERY_BYTES) {
        uncheckedBytes = 0;
        await attempt('checking the free disk space', () => assertFreeSpace(folder, limits.minimumFreeBytes));
      }
    }
    if (bytes === 0) throw PipelineError.of('stored_file_empty');
    await attempt('writing a file', () => file.sync());
    await file.close();
    return { path, bytes, sha256: hash.digest('hex') };
  } catch (error) {
    await file.close().catch(() => undefined);
    await rm(path, { force: true }).catch(() => undefined);
    throw error;
  }
}

/**
 * Removes unfinished files of killed processes from `folder` and returns their number. The age counts from the last write, so a file that is
 * being received is never removed.
 */
export async function sweepUnfinished(folder: string, olderThanSeconds: number): Promise<number> {
  const before = Date.now() - olderThanSeconds * 1000;
  let removed = 0;
  try {
    for await (const entry of await opendir(folder)) {
      if (!TEMPORARY.test(entry.name)) continue;
      const path = join(folder, entry.name);
      const found = await stat(path).catch(() => null);
      if (!found || found.mtimeMs > before) continue;
      await rm(path, { force: true });
      removed += 1;
    }
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw fileSystemFailure(error, 'removing unfinished files');
  }
  return removed;
}

/** Bytes of the disk of `folder` that are free for an unprivileged user. */
export async function freeBytes(folder: string): Promise<number> {
  const disk = await statfs(folder);
  return disk.bavail * disk.bsize;
}

async function assertFreeSpace(folder: string, minimumFreeBytes: number): Promise<void> {
  const free = await freeBytes(folder);
  if (free < minimumFreeBytes) throw diskNearlyFull(free, minimumFreeBytes);
}

async function writeAll(file: FileHandle, chunk: Uint8Array): Promise<void> {
  let offset = 0;
  while (offset < chunk.byteLength) {
    offset += (await file.write(chunk, offset, chunk.byteLength - offset)).bytesWritten;
  }
}

async function attempt<T>(operation: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw fileSystemFailure(error, operation);
  }
}

/** First byte and length of a requested range; a range outside of the object is `invalid_input`. */
export function resolveRange(range: ObjectRange | undefined, total: number): { start: number; bytes: number; whole: boolean } {
  const start = range?.start ?? 0;
  const end = Math.min(range?.end ?? total - 1, total - 1);
  if (!Number.isSafeInteger(start) || !Number.isSafeInteger(end) || start < 0 || start >= total || end < start) {
    throw invalidInput(`The range ${start}-${range?.end ?? ''} lies outside the ${total} bytes of the object.`);
  }
  return { start, bytes: end - start + 1, whole: start === 0 && end === total - 1 };
}

/**
 * Passes bytes through; fails with `integrity` at the end of the stream unless there were exactly `bytes` bytes and, if `sha256` is given, the content has
 * this hash.
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
