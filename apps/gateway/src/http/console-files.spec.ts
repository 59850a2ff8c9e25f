import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import express from 'express';
import supertest from 'supertest';
import { consoleFiles } from './console-files';

describe('consoleFiles', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'console-'));
    await mkdir(join(folder, 'assets'));
    await writeFile(join(folder, 'index.html'), '<title>page</title>');
    await writeFile(join(folder, 'assets/app-1a2b.js'), 'code');
  });
  afterAll(() => rm(folder, { recursive: true }));

  const get = (path: string, method: 'get' | 'post' = 'get') => {
    const app = express();
    for (const handler of consoleFiles(folder)) app.use(handler);
    app.use((_request, response) => void response.status(404).json({ success: false }));
    return supertest(app)[method](path);
  };

  it.each(['/', '/admin', '/admin/instagram-queue?status=failed', '/access-denied'])(
    'answers every address of the console with its page: %s',
    async (path) => {
      const { text, headers } = await get(path);
      expect([text, headers['cache-control']]).toEqual(['<title>page</title>', 'no-cache']);
    },
  );

  it('lets browsers cache hashed files permanently', async () => {
    const { headers, status } = await get('/assets/app-1a2b.js');
    expect([status, headers['content-length'], headers['cache-control']]).toEqual([200, '4', 'public, max-age=31536000, immutable']);
  });

  it.each(['/api/nothing', '/media/1/x/y', '/metrics', '/assets/gone.js', '/../package.json'])('passes %s on', async (path) => {
    expect((await get(path)).status).toBe(404);
  });

  it('answers only GET and HEAD', async () => {
    expect((await get('/admin', 'post')).status).toBe(404);
  });

  it('serves nothing if no console was built', () => {
    expect([consoleFiles(null), consoleFiles(join(folder, 'assets'))]).toEqual([[], []]);
  });
});
