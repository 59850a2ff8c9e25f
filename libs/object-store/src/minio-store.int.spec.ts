import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeWithContainers, type MinioServer, startMinio } from '@autoposter/testkit';
import { Client } from 'minio';
import { MinioStore, type MinioStoreOptions } from './minio-store';
import { chunksOf, collect, kindOf, MISSING_KEY, objectStoreContract } from './object-store.contract';

describeWithContainers('MinioStore', () => {
  let minio: MinioServer;
  let scratch: string;
  let raw: Client;
  const bucket = 'media';
  const login = () => ({ accessKey: minio.accessKey, secretKey: minio.secretKey });
  const make = (more: Partial<MinioStoreOptions> = {}) =>
    new MinioStore({ endpoint: minio.endpoint, ...login(), bucket, scratchFolder: scratch, ...more });

  beforeAll(async () => {
    scratch = await mkdtemp(join(tmpdir(), 'scratch-'));
    minio = await startMinio();
    const { hostname, port } = new URL(minio.endpoint);
    raw = new Client({ endPoint: hostname, port: Number(port), useSSL: false, ...login() });
  });
  afterAll(async () => {
    await minio?.stop();
    if (scratch) await rm(scratch, { recursive: true, force: true });
  });

  objectStoreContract(async () => {
    const overwrite = async (key: string, bytes: number) => {
      const { metaData } = await raw.statObject(bucket, key);
      const kept = { 'X-Amz-Meta-Stored-Bytes': String(metaData['stored-bytes']) };
      await raw.putObject(bucket, key, randomBytes(bytes), bytes, kept);
    };
    return {
      store: make({ publicUrl: minio.endpoint }),
      truncate: (key) => overwrite(key, 100),
      corrupt: async (key) => overwrite(key, (await raw.statObject(bucket, key)).size),
      leftovers: async () => {
        const uploads = await raw.listIncompleteUploads(bucket, '', true).toArray();
        return [...(await readdir(scratch)), ...uploads.map(String)];
      },
      signs: true,
    };
  });

  it('serves a signed link until it expires, and only unchanged', async () => {
    const store = make({ publicUrl: minio.endpoint });
    const data = randomBytes(4_000);
    const { key } = await store.put('processed', chunksOf(data), 'video/mp4', 'mp4');
    const url = (await store.signedReadUrl(key, 60)) as string;
    const answer = await fetch(url, { headers: { range: 'bytes=10-19' } });
    expect([answer.status, answer.headers.get('content-type')]).toEqual([206, 'video/mp4']);
    expect(Buffer.from(await answer.arrayBuffer()).equals(data.subarray(10, 20))).toBe(true);
    expect((await fetch(url.replace(key, MISSING_KEY))).status).toBe(403);
    expect((await fetch(`${minio.endpoint}/${bucket}/${key}`)).status).toBe(403);
    expect(await make().signedReadUrl(key, 60)).toBeNull();
    await store.delete(key);
  });

  it('creates one bucket when many stores start concurrently', async () => {
    const stores = Array.from({ length: 5 }, () => make({ bucket: 'many-at-once' }));
    await Promise.all(stores.map((store) => store.prepare()));
    expect(await raw.bucketExists('many-at-once')).toBe(true);
  });

  it('creates a bucket again that was lost while the store was in use', async () => {
    const store = make({ bucket: 'lost' });
    const data = randomBytes(1_000);
    const put = () => store.put('processed', chunksOf(data), 'video/mp4', 'mp4');
    const { key } = await put();
    await raw.removeObject('lost', key);
    await raw.removeBucket('lost');
    expect((await store.health()).ok).toBe(true);
    await put();
    expect(await collect((await store.get(key)).stream)).toEqual(data);
    await raw.removeObject('lost', key);
    await raw.removeBucket('lost');
    expect(await kindOf(store.list('').next())).toBe('not_configured');
    expect((await store.list('').next()).done).toBe(true);
  });

  it('removes unfinished uploads', async () => {
    const store = make({ bucket: 'unfinished' });
    await store.prepare();
    await raw.initiateNewMultipartUpload('unfinished', MISSING_KEY, {});
    expect(await store.sweepLeftovers(3600)).toBe(0);
    expect(await store.sweepLeftovers(-60)).toBe(1);
  });

  it('reports wrong settings and server errors', async () => {
    const stranger = make({ secretKey: 'wrong-secret' });
    expect(await kindOf(stranger.stat(MISSING_KEY))).toBe('not_authorised');
    expect((await stranger.health()).ok).toBe(false);
    const away = make({ endpoint: 'http://127.0.0.1:1' });
    expect(await kindOf(away.stat(MISSING_KEY))).toBe('unavailable');
    expect((await away.health()).detail).toContain('ECONNREFUSED');
  });

  it('times out on a server that never answers', async () => {
    const silent = createServer((socket) => socket.resume().on('error', () => undefined)).listen(0, '127.0.0.1');
    try {
      await once(silent, 'listening');
      const { port } = silent.address() as AddressInfo;
      const store = make({ endpoint: `http://127.0.0.1:${port}`, timeoutMs: 300 });
      expect(await kindOf(store.stat(MISSING_KEY))).toBe('unavailable');
      expect((await store.health()).ok).toBe(false);
    } finally {
      silent.close();
      // ends only because the store closed its connections
      await once(silent, 'close');
    }
  });

  it('recovers automatically after the server was unavailable', async () => {
    const store = make({ timeoutMs: 5_000 });
    const data = randomBytes(1_000);
    const { key } = await store.put('frames', chunksOf(data), 'image/jpeg', 'jpg');
    await minio.container.restart();
    expect((await collect((await store.get(key)).stream)).equals(data)).toBe(true);
  });
});
