import { access, constants, mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { checkedStream, freeBytes, readFileStream, receiveFile, resolveRange, sweepUnfinished } from './file-streams';
import {
  AREAS,
  assertExpiry,
  assertPrefix,
  assertStorable,
  contentKey,
  isObjectKey,
  parseKey,
  type ListedObject,
  type ObjectArea,
  type ObjectRange,
  type ObjectRead,
  type ObjectStore,
  type StoredObject,
  type StoreLogger,
} from './object-store.port';
import { damaged, errorCode, fileSystemFailure, notFound } from './storage-failures';

interface LocalStoreOptions {
  /** Folder of the store, created if missing. Several processes may share it. */
  folder: string;
  /** Returns the public address of an object that the gateway serves; without it there are no signed links. */
  signUrl?: (key: string, expiresSeconds: number) => string;
  /** With less free space new files are refused; default 500 MB. */
  minimumFreeBytes?: number;
  logger?: StoreLogger;
}

const SWEEP_AFTER_SECONDS = 3600;

/** Objects as files in one folder. A file appears under its key by rename, complete and synced. */
export class LocalStore implements ObjectStore {
  private readonly root: string;
  private readonly incoming: string;
  private readonly minimumFreeBytes: number;
  private sweep: Promise<unknown> | null = null;

  constructor(private readonly options: LocalStoreOptions) {
    this.root = resolve(options.folder);
    this.incoming = join(this.root, '.incoming');
    this.minimumFreeBytes = options.minimumFreeBytes ?? 500_000_000;
  }

  async put(
    area: ObjectArea,
    source: AsyncIterable<Uint8Array>,
    contentType: string,
    extension: string,
    limitBytes?: number,
  ): Promise<StoredObject> {
    const type = assertStorable(area, contentType, extension);
    this.sweep ??= this.sweepLeftovers().catch((error: unknown) => {
      this.options.logger?.warn({ err: error }, 'removing unfinished files failed');
    });
    await this.sweep;
    const received = await receiveFile(source, this.incoming, { limitBytes, minimumFreeBytes: this.minimumFreeBytes });
    const key = contentKey(area, received.sha256, extension);
    const path = this.pathOf(key);
    try {
      await mkdir(dirname(path), { recursive: true, mode: 0o750 });
      // the length first: an object without its length is unchecked, a length without an object is only a small leftover
      await writeFile(`${received.path}.bytes`, String(received.bytes), { mode: 0o640, flush: true });
      await rename(`${received.path}.bytes`, `${path}.bytes`);
      await rename(received.path, path);
      await syncFolder(dirname(path));
    } catch (error) {
      await Promise.all([rm(received.path, { force: true }), rm(`${received.path}.bytes`, { force: true })]).catch(() => undefined);
      throw fileSystemFailure(error, 'storing a file');
    }
    return { key, bytes: received.bytes, sha256: received.sha256, contentType: type };
  }

  async get(key: string, range?: ObjectRange): Promise<ObjectRead> {
    const object = await this.stat(key);
    if (!object) throw notFound(key);
    const { start, bytes, whole } = resolveRange(range, object.bytes);
    const stream = checkedStream(key, this.read(key, start, bytes), bytes, whole ? object.sha256 : null);
    return { stream, bytes, total: object.bytes, sha256: object.sha256, contentType: object.contentType };
  }

  async stat(key: string): Promise<StoredObject | null> {
    const { sha256, contentType } = parseKey(key);
    const path = this.pathOf(key);
    try {
      const found = await stat(path);
      const recorded = Number(await readFile(`${path}.bytes`, 'utf8').catch(() => found.size));
      if (found.size !== recorded) throw damaged(key, 'its length is not the stored one', { expected: recorded, got: found.size });
      return { key, bytes: found.size, sha256, contentType };
    } catch (error) {
      if (errorCode(error) === 'ENOENT') return null;
      throw fileSystemFailure(error, 'reading a file');
    }
  }

  async delete(key: string): Promise<void> {
    parseKey(key);
    const path = this.pathOf(key);
    try {
      await rm(path, { force: true });
      await rm(`${path}.bytes`, { force: true });
    } catch (error) {
      throw fileSystemFailure(error, 'deleting a file');
    }
  }

  async signedReadUrl(key: string, expiresSeconds: number): Promise<string | null> {
    parseKey(key);
    assertExpiry(expiresSeconds);
    return this.options.signUrl?.(key, expiresSeconds) ?? null;
  }

  async *list(prefix: string): AsyncGenerator<ListedObject, void, undefined> {
    assertPrefix(prefix);
    for (const area of AREAS) {
      if (!overlaps(`${area}/`, prefix)) continue;
      for (const shard of await this.namesIn(area)) {
        if (!overlaps(`${area}/${shard}/`, prefix)) continue;
        for (const name of await this.namesIn(join(area, shard))) {
          const key = `${area}/${shard}/${name}`;
          if (!key.startsWith(prefix) || !isObjectKey(key)) continue;
          const found = await stat(this.pathOf(key)).catch(() => null);
          if (found) yield { key, bytes: found.size, modifiedAt: found.mtime };
        }
      }
    }
  }

  async health(): Promise<{ ok: boolean; detail: string }> {
    try {
      await mkdir(this.root, { recursive: true, mode: 0o750 });
      await access(this.root, constants.R_OK | constants.W_OK);
      const free = await freeBytes(this.root);
      const ok = free >= this.minimumFreeBytes;
      return { ok, detail: `local folder, ${Math.floor(free / 1_000_000)} MB free${ok ? '' : ': nearly full, new files are refused'}` };
    } catch (error) {
      return { ok: false, detail: `local folder cannot be used (${errorCode(error) ?? 'unknown'})` };
    }
  }

  /** Removes unfinished files of killed processes and returns their number; runs once before the first `put`. */
  sweepLeftovers(olderThanSeconds = SWEEP_AFTER_SECONDS): Promise<number> {
    return sweepUnfinished(this.incoming, olderThanSeconds);
  }

  private async *read(key: string, start: number, bytes: number): AsyncGenerator<Uint8Array, void, undefined> {
    const stream = readFileStream(this.pathOf(key), { start, end: start + bytes - 1 });
    try {
      for await (const chunk of stream) yield chunk as Uint8Array;
    } catch (error) {
      throw errorCode(error) === 'ENOENT' ? notFound(key, error) : fileSystemFailure(error, 'reading a file');
    } finally {
      stream.destroy();
    }
  }

  private async namesIn(folder: string): Promise<string[]> {
    try {
      return (await readdir(join(this.root, folder))).sort();
    } catch (error) {
      if (errorCode(error) === 'ENOENT' || errorCode(error) === 'ENOTDIR') return [];
      throw fileSystemFailure(error, 'listing files');
    }
  }

  /** A parsed key has no dots, drive letters or empty parts, so it cannot leave the folder. */
  private pathOf(key: string): string {
    return join(this.root, ...parseKey(key).key.split('/'));
  }
}

function overlaps(folder: string, prefix: string): boolean {
  return folder.startsWith(prefix) || prefix.startsWith(folder);
}

/** Otherwise a rename may be lost in a power failure, although the file was synced. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
