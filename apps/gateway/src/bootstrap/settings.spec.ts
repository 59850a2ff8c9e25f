import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfig, type Environment } from '@autoposter/config';
import { settingsFrom } from './settings';

const required: Environment = {
  DATABASE_URL: 'postgres://x@127.0.0.1/x',
  JWT_SECRET: 'x'.repeat(40),
  ADMIN_EMAILS: 'Ada@Example.com, bob@example.com',
  GOOGLE_CLIENT_ID: 'id',
  GOOGLE_CLIENT_SECRET: 'secret',
};
const settings = (more: Environment = {}, folder = '/nowhere') => settingsFrom(loadConfig('gateway', { ...required, ...more }), folder);

describe('settingsFrom', () => {
  it('binds this machine only and publishes nothing by default', () => {
    expect(settings()).toMatchObject({
      host: '127.0.0.1',
      adminEmails: ['ada@example.com', 'bob@example.com'],
      instagramMissing: ['INSTAGRAM_ACCESS_TOKEN', 'INSTAGRAM_BUSINESS_ACCOUNT_ID'],
      instagramAccountId: null,
      maxHashtags: 5,
      schedulersStart: false,
      consoleFolder: null,
    });
  });

  it('reads the hashtag limit of the installation, from 0 to 30', () => {
    expect(settings({ INSTAGRAM_HASHTAG_LIMIT: '0' }).maxHashtags).toBe(0);
    expect(settings({ INSTAGRAM_HASHTAG_LIMIT: '30' }).maxHashtags).toBe(30);
    expect(() => settings({ INSTAGRAM_HASHTAG_LIMIT: '31' })).toThrow(/INSTAGRAM_HASHTAG_LIMIT must be at most 30/u);
  });

  it('reads log files on one machine and pods in a cluster', () => {
    expect(settings({ DATA_DIR: '/data' })).toMatchObject({ logFolder: '/data/logs', podLogs: null });
    expect(settings({ POD_NAMESPACE: 'shop' })).toMatchObject({ logFolder: null, podLogs: { namespace: 'shop' } });
  });

  it('knows whether Instagram or its simulator can fetch media here', () => {
    const account = { INSTAGRAM_ACCESS_TOKEN: 'EAtoken', INSTAGRAM_BUSINESS_ACCOUNT_ID: '17' };
    const inside = { ...account, CDN_BASE_URL: 'http://gateway:3000' };
    expect(settings(account).hasPublicAddress).toBe(false);
    expect(settings(inside).hasPublicAddress).toBe(false);
    expect(settings({ ...inside, INSTAGRAM_GRAPH_URL: 'http://simulators:4003' }).hasPublicAddress).toBe(true);
    expect(settings({ ...account, CDN_BASE_URL: 'https://media.autoposter.dev' }).hasPublicAddress).toBe(true);
  });

  it('finds the console beside the program', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'dist-'));
    await mkdir(join(folder, 'console'));
    await writeFile(join(folder, 'console/index.html'), '');
    expect(settings({}, join(folder, 'gateway')).consoleFolder).toBe(join(folder, 'console'));
    await rm(folder, { recursive: true });
  });
});
