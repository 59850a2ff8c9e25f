import { createHash, randomUUID } from 'node:crypto';
import { mkdir, open, opendir, rm, stat, statfs, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { PipelineError } from '@autoposter/domain';
import { diskNearlyFull, errorCode, fileSystemFailure, tooLarge } from './storage-failures';

export interface ReceivedFile {
  path: string;
  bytes: number;
  sha256: string;
}

const CHECK_DISK_EVERY_BYTES = 32 * 1024 * 1024;
const TEMPORARY = /^[0-9a-f-]{36}\.part$/;

/**
 * Writes a stream to a file of its own in `folder` while hashing it; synced to disk before it returns, removed when anything fails.
 * At least `minimumFreeBytes` stay free on that disk.
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
        await attempt('looking at the disk', () => assertFreeSpace(folder, limits.minimumFreeBytes));
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
 * Removes unfinished files that a killed process left in `folder`. Age is counted from the last write, so an upload in progress is never
 * touched. Answers how many were removed.
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

/** Free bytes of the disk that holds `folder`, for an ordinary user. */
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

async function attempt<T>(doing: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw fileSystemFailure(error, doing);
  }
}
