import { createHmac } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sealToken, type StoredToken } from '@autoposter/instagram';
import { silentLogger } from '@autoposter/observability';
import { loadConfig } from '@autoposter/config';
import { MediaTools } from '@autoposter/media-tools';
import { instagramSource, downloaderTools } from './downloader.tools';

jest.mock('@autoposter/media-tools');

const KEYS = [Buffer.alloc(32, 1)];
const POST = 'https://www.instagram.com/reel/OWNcode1/';
const own = {
  id: '1',
  shortcode: 'OWNcode1',
  permalink: POST,
  media_type: 'VIDEO',
  media_url: 'https://cdn.example/1.mp4',
  username: 'me',
};

describe('reading Instagram posts', () => {
  let graph: Server;
  let valid: string;
  let proof: string | null;
  let stored: StoredToken | null;
  beforeAll(async () => {
    graph = createServer((request, response) => {
      const token =
        request.headers.authorization?.slice('Bearer '.length) ??
        new URL(request.url ?? '', 'http://graph').searchParams.get('access_token');
      proof = new URL(request.url ?? '', 'http://graph').searchParams.get('appsecret_proof');
      const body = token === valid ? { data: [own] } : { error: { message: 'Session has expired', type: 'OAuthException', code: 190 } };
      response.writeHead(token === valid ? 200 : 400, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    });
    await new Promise<void>((listening) => graph.listen(0, '127.0.0.1', listening));
  });
  afterAll(() => graph.close());
  beforeEach(() => {
    stored = null;
    valid = 'IGconfigured';
  });

  const source = (sealing: readonly Uint8Array[] = KEYS, change: object = {}) => {
    const address = `http://127.0.0.1:${(graph.address() as AddressInfo).port}`;
    const instagram = {
      configured: true,
      accessToken: 'IGconfigured',
      accountId: '1784',
      apiVersion: 'v26.0',
      graphUrl: address,
      uploadUrl: address,
      appSecret: null,
      ...change,
    };
    const database = { read: { settings: { get: () => Promise.resolve(stored) } } };
    const made = instagramSource({ config: { instagram, keys: { sealing } }, database, logger: silentLogger } as never);
    if (made === null) throw new Error('it is configured');
    return made;
  };
  const found = { post: { sourceId: 'OWNcode1' } };
  const renew = (token: string) => {
    stored = sealToken({ accessToken: token, expiresAt: null }, 'IGconfigured', KEYS, new Date());
    valid = token;
  };

  it('uses a token that was renewed meanwhile, each time', async () => {
    const reading = source();
    await expect(reading.resolve(POST)).resolves.toMatchObject(found);
    for (const token of ['IGrenewed', 'IGrenewedagain']) {
      renew(token);
      await expect(reading.resolve(POST)).resolves.toMatchObject(found);
    }
  });

  it('keeps to the configured one where what is stored cannot be opened', async () => {
    renew('IGrenewed');
    await expect(source([]).resolve(POST)).rejects.toMatchObject({ failure: { kind: 'not_authorised' } });
    await expect(source([Buffer.alloc(32, 2)]).resolve(POST)).rejects.toMatchObject({ failure: { kind: 'not_authorised' } });
  });

  it('proves the application with a token of Facebook Login', async () => {
    valid = 'EAtoken';
    await source(KEYS, { accessToken: 'EAtoken', appSecret: 'secret' }).resolve(POST);
    expect(proof).toBe(createHmac('sha256', 'secret').update('EAtoken').digest('hex'));
  });

  it('is not there while no account is configured', () => {
    expect(instagramSource({ config: { instagram: { configured: false }, keys: { sealing: [] } } } as never)).toBeNull();
  });
});

describe('downloaderTools', () => {
  it.each([
    [{}, 3],
    [{ STAGE_SLOTS: '4' }, 5],
  ])('divides the memory of the decoders by all slots, with one for people: %j', (environment, concurrency) => {
    const config = loadConfig('downloader', { DATABASE_URL: 'postgresql://user@db.example/autoposter', ...environment });
    downloaderTools({ config, database: { read: {} }, objects: {}, logger: silentLogger, storageType: 'local' } as never);
    expect(MediaTools).toHaveBeenLastCalledWith(expect.objectContaining({ concurrency }));
  });
});
