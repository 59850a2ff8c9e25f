import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfig, type Environment } from '@autoposter/config';
import { settingsOf } from './settings-of';

const required: Environment = {
  DATABASE_URL: 'postgres://x@127.0.0.1/x',
  JWT_SECRET: 'x'.repeat(40),
  ADMIN_EMAILS: 'Ada@Example.com, bob@example.com',
  GOOGLE_CLIENT_ID: 'id',
  GOOGLE_CLIENT_SECRET: 'secret',
};
const settings = (more: Environment = {}, folder = '/nowhere') => settingsOf(loadConfig('gateway', { ...required, ...more }), folder);

describe('the settings of the gateway', () => {
  it('bind this machine alone and publish nothing unless told otherwise', () => {
    expect(settings()).toMatchObject({
      host: '127.0.0.1',
      adminEmails: ['ada@example.com', 'bob@example.com'],
      instagramMissing: ['INSTAGRAM_ACCESS_TOKEN', 'INSTAGRAM_BUSINESS_ACCOUNT_ID'],
      instagramAccountId: null,
      schedulersStart: false,
      consoleFolder: null,
    });
  });

  it('read log files on one machine and pods in a cluster', () => {
    expect(settings({ DATA_DIR: '/data' })).toMatchObject({ logFolder: '/data/logs', podLogs: null });
    expect(settings({ POD_NAMESPACE: 'shop' })).toMatchObject({ logFolder: null, podLogs: { namespace: 'shop' } });
  });

  it('find the console beside the program', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'dist-'));
    await mkdir(join(folder, 'console'));
    await writeFile(join(folder, 'console/index.html'), '');
    expect(settings({}, join(folder, 'gateway')).consoleFolder).toBe(join(folder, 'console'));
    await rm(folder, { recursive: true });
  });
});
