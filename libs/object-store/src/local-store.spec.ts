import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, readdir, rm, stat, truncate, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LocalStore } from './local-store';
import { chunksOf, kindOf, objectStoreContract } from './object-store.contract';

describe('LocalStore', () => {
  const folders: string[] = [];
  const folder = async () => {
    const made = await mkdtemp(join(tmpdir(), 'store-'));
    folders.push(made);
    return made;
  };
  afterAll(() => Promise.all(folders.map((made) => rm(made, { recursive: true, force: true }))));

  objectStoreContract(async () => {
    const root = await folder();
    const signUrl = (key: string, expires: number) => `https://media.example/${key}?for=${expires}`;
    return {
      store: new LocalStore({ folder: root, signUrl }),
      truncate: async (key) => truncate(join(root, key), 100),
      corrupt: async (key) => writeFile(join(root, key), randomBytes((await stat(join(root, key))).size)),
      leftovers: () => readdir(join(root, '.incoming')),
      signs: true,
    };
  });

  it('returns no link without a signing function', async () => {
    const store = new LocalStore({ folder: await folder() });
    const { key } = await store.put('frames', chunksOf(randomBytes(10)), 'image/png', 'png');
    expect(await store.signedReadUrl(key, 60)).toBeNull();
  });

  it('refuses new files and reports ill health when the disk is nearly full', async () => {
    const store = new LocalStore({ folder: await folder(), minimumFreeBytes: Number.MAX_SAFE_INTEGER });
    const putting = store.put('frames', chunksOf(randomBytes(10)), 'image/png', 'png');
    expect(await kindOf(putting)).toBe('unavailable');
    await expect(putting).rejects.toThrow(/nearly full: \d+ MB are free/);
    expect(await store.health()).toEqual({ ok: false, detail: expect.stringContaining('nearly full') });
  });

  it('removes unfinished files of a killed process and none that is being written', async () => {
    const root = await folder();
    const incoming = join(root, '.incoming');
    await mkdir(incoming, { recursive: true });
    const old = `${'a'.repeat(36)}.part`;
    const fresh = `${'b'.repeat(36)}.part`;
    await writeFile(join(incoming, old), 'x');
    await writeFile(join(incoming, fresh), 'x');
    await utimes(join(incoming, old), 0, 0);
    await new LocalStore({ folder: root }).put('frames', chunksOf(randomBytes(10)), 'image/png', 'png');
    expect(await readdir(incoming)).toEqual([fresh]);
  });

  it('is unhealthy if its folder cannot be created', async () => {
    const root = await folder();
    await writeFile(join(root, 'file'), '');
    const store = new LocalStore({ folder: join(root, 'file', 'below') });
    expect((await store.health()).ok).toBe(false);
    expect(await kindOf(store.put('frames', chunksOf(randomBytes(10)), 'image/png', 'png'))).toBe('transient');
  });
});
