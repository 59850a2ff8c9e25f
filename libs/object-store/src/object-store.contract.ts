import type { FailureKind } from '@autoposter/contracts';
import { createHash, randomBytes } from 'node:crypto';
import { PipelineError } from '@autoposter/domain';
import type { ObjectStore } from './object-store.port';

interface StoreUnderTest {
  store: ObjectStore;
  /** Truncates a stored object, bypassing the store. */
  truncate(key: string): Promise<void>;
  /** Replaces the bytes of a stored object by others of the same length, bypassing the store. */
  corrupt(key: string): Promise<void>;
  /** Names of all unfinished files and uploads of the store. */
  leftovers(): Promise<string[]>;
  /** Whether the store signs links. */
  signs: boolean;
}

export const MISSING_KEY = `originals/00/${'0'.repeat(64)}.mp4`;

export async function* chunksOf(data: Uint8Array, size = 64 * 1024): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < data.byteLength; at += size) yield data.subarray(at, at + size);
}

export async function collect(stream: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  for await (const part of stream) parts.push(part);
  return Buffer.concat(parts);
}

export async function kindOf(work: Promise<unknown>): Promise<FailureKind | string> {
  try {
    await work;
  } catch (error) {
    if (!(error instanceof PipelineError)) return `not a PipelineError: ${String(error)}`;
    if (error.failure.side !== 'storage') return `wrong side: ${error.failure.side}`;
    return error.failure.kind;
  }
  return 'no failure';
}

/** The behaviour of every `ObjectStore`. */
export function objectStoreContract(open: () => Promise<StoreUnderTest>): void {
  let subject: StoreUnderTest;
  let store: ObjectStore;
  beforeAll(async () => {
    subject = await open();
    store = subject.store;
  });

  const put = (data: Uint8Array, limitBytes?: number) => store.put('originals', chunksOf(data), 'video/mp4', 'mp4', limitBytes);
  const keysUnder = async (prefix: string) => {
    const keys: string[] = [];
    for await (const entry of store.list(prefix)) keys.push(entry.key);
    return keys;
  };

  it('stores content under its hash and returns the same bytes', async () => {
    const data = randomBytes(300_000);
    const sha256 = createHash('sha256').update(data).digest('hex');
    const stored = await put(data);
    expect(stored).toEqual({
      key: `originals/${sha256.slice(0, 2)}/${sha256}.mp4`,
      bytes: 300_000,
      sha256,
      contentType: 'video/mp4',
    });
    const read = await store.get(stored.key);
    expect([read.bytes, read.total, read.contentType]).toEqual([300_000, 300_000, 'video/mp4']);
    expect((await collect(read.stream)).equals(data)).toBe(true);
    expect(await store.stat(stored.key)).toEqual(stored);
  });

  it('keeps a large object whole', async () => {
    const data = randomBytes(21 * 1024 * 1024 + 17);
    const stored = await put(data);
    expect((await collect((await store.get(stored.key)).stream)).equals(data)).toBe(true);
    await store.delete(stored.key);
  });

  it('accepts the same content again, also concurrently', async () => {
    const data = randomBytes(100_000);
    const keys = (await Promise.all([put(data), put(data), put(data)])).map((stored) => stored.key);
    expect(new Set(keys).size).toBe(1);
    expect((await put(data)).key).toBe(keys[0]);
    expect(await keysUnder(keys[0] as string)).toEqual([keys[0]]);
  });

  it('reads ranges with inclusive ends and clamps an end past the object', async () => {
    const data = randomBytes(10_000);
    const { key } = await put(data);
    const part = async (start: number, end?: number) => collect((await store.get(key, { start, end })).stream);
    expect((await part(0, 0)).equals(data.subarray(0, 1))).toBe(true);
    expect((await part(100, 199)).equals(data.subarray(100, 200))).toBe(true);
    expect((await part(9_990)).equals(data.subarray(9_990))).toBe(true);
    const cut = await store.get(key, { start: 9_000, end: 99_999 });
    expect([cut.bytes, cut.total]).toEqual([1_000, 10_000]);
    expect((await collect(cut.stream)).equals(data.subarray(9_000))).toBe(true);
    expect(await kindOf(store.get(key, { start: 10_000 }))).toBe('invalid_input');
    expect(await kindOf(store.get(key, { start: -1 }))).toBe('invalid_input');
    expect(await kindOf(store.get(key, { start: 5, end: 4 }))).toBe('invalid_input');
  });

  it('reports a missing object, and deletes it without an error', async () => {
    expect(await store.stat(MISSING_KEY)).toBeNull();
    expect(await kindOf(store.get(MISSING_KEY))).toBe('not_found');
    const { key } = await put(randomBytes(100));
    await store.delete(key);
    await store.delete(key);
    expect(await store.stat(key)).toBeNull();
  });

  it('detects a truncated object before the first byte and a changed one at its end', async () => {
    const cut = await put(randomBytes(5_000));
    await subject.truncate(cut.key);
    expect(await kindOf(store.get(cut.key))).toBe('integrity');
    expect(await kindOf(store.get(cut.key, { start: 0, end: 10 }))).toBe('integrity');
    const changed = await put(randomBytes(5_000));
    await subject.corrupt(changed.key);
    expect(await kindOf(store.get(changed.key).then((read) => collect(read.stream)))).toBe('integrity');
  });

  it('replaces a truncated object when the content is stored again', async () => {
    const data = randomBytes(5_000);
    const { key } = await put(data);
    await subject.truncate(key);
    await put(data);
    expect((await collect((await store.get(key)).stream)).equals(data)).toBe(true);
  });

  it('leaves no file behind if the source fails, is empty or too large', async () => {
    const before = await keysUnder('originals/');
    const broken = async function* () {
      yield randomBytes(1_000);
      throw new Error('the download broke');
    };
    await expect(store.put('originals', broken(), 'video/mp4', 'mp4')).rejects.toThrow('the download broke');
    expect(await kindOf(put(new Uint8Array()))).toBe('corrupt_media');
    expect(await kindOf(put(randomBytes(2_001), 2_000))).toBe('too_large');
    expect((await put(randomBytes(2_000), 2_000)).bytes).toBe(2_000);
    expect(await keysUnder('originals/')).toHaveLength(before.length + 1);
    expect(await subject.leftovers()).toEqual([]);
  });

  it.each([
    '../../etc/passwd',
    `originals/../../${'0'.repeat(64)}.mp4`,
    `originals/00/../00/${'0'.repeat(64)}.mp4`,
    `/originals/00/${'0'.repeat(64)}.mp4`,
    `originals/00/${'0'.repeat(64)}.mp4\n`,
    `originals/00/${'0'.repeat(64)}.mp4/..`,
    `originals/11/${'0'.repeat(64)}.mp4`,
    `originals/00/${'0'.repeat(64)}.html`,
    `secrets/00/${'0'.repeat(64)}.mp4`,
    `originals/00/${'0'.repeat(63)}.mp4`,
    `originals\\00\\${'0'.repeat(64)}.mp4`,
    '',
  ])('refuses the key %j in every method', async (key) => {
    expect(await kindOf(store.get(key))).toBe('invalid_input');
    expect(await kindOf(store.stat(key))).toBe('invalid_input');
    expect(await kindOf(store.delete(key))).toBe('invalid_input');
    expect(await kindOf(store.signedReadUrl(key, 60))).toBe('invalid_input');
  });

  it('refuses areas, extensions and types outside of the closed lists', async () => {
    const data = () => chunksOf(randomBytes(10));
    expect(await kindOf(store.put('secrets' as 'frames', data(), 'video/mp4', 'mp4'))).toBe('invalid_input');
    expect(await kindOf(store.put('frames', data(), 'text/html', 'html'))).toBe('invalid_input');
    expect(await kindOf(store.put('frames', data(), 'text/html', 'jpg'))).toBe('invalid_input');
    expect(await kindOf(store.put('frames', data(), 'image/jpeg', '../x'))).toBe('invalid_input');
    expect(await kindOf(store.put('frames', data(), 'image/jpeg', 'constructor'))).toBe('invalid_input');
    expect((await store.put('frames', data(), 'Image/JPEG; q=1', 'jpg')).contentType).toBe('image/jpeg');
  });

  it('lists by prefix with sizes', async () => {
    const { key } = await store.put('covers', chunksOf(randomBytes(77)), 'image/jpeg', 'jpg');
    for (const prefix of [key, key.slice(0, 20), key.slice(0, 10), 'covers/', 'cov']) {
      const entries = [];
      for await (const entry of store.list(prefix)) entries.push(entry);
      expect(entries.map((entry) => [entry.key, entry.bytes])).toEqual([[key, 77]]);
      expect(Math.abs((entries[0]?.modifiedAt.getTime() ?? 0) - Date.now())).toBeLessThan(600_000);
    }
    expect(await keysUnder('processed/')).toEqual([]);
    expect(await kindOf(keysUnder('../'))).toBe('invalid_input');
  });

  it('signs links with an expiry, or returns null', async () => {
    const data = randomBytes(4_000);
    const { key } = await put(data);
    expect(await kindOf(store.signedReadUrl(key, 0))).toBe('invalid_input');
    expect(await kindOf(store.signedReadUrl(key, 604_801))).toBe('invalid_input');
    const url = await store.signedReadUrl(key, 60);
    if (subject.signs) expect(url).toContain(key);
    else expect(url).toBeNull();
  });

  it('is healthy', async () => {
    expect((await store.health()).ok).toBe(true);
  });
}
