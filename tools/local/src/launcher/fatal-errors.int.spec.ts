import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { SERVICES } from '@autoposter/config';
import { pollUntil, freePort, freshDatabase, startPostgres, type FreshDatabase, type PostgresServer } from '@autoposter/testkit';

/** Every program of the product as it is deployed, with an injected uncaught error. */
const ROOT = path.resolve(__dirname, '../../../..');
const PLACES = [...SERVICES.map((name) => `apps/${name}`), 'tools/migrate'];
const SIGN_IN = {
  JWT_SECRET: 'a-secret-of-this-test-and-of-nothing-else',
  ADMIN_EMAILS: 'admin@example.test',
  GOOGLE_CLIENT_ID: 'client',
  GOOGLE_CLIENT_SECRET: 'secret',
};
const THROWS_ON_SIGNAL = `process.on('SIGUSR2', () => { throw new Error('a defect without a handler'); });`;

describe('an uncaught error', () => {
  let server: PostgresServer;
  let fresh: FreshDatabase;
  let folder: string;

  beforeAll(async () => {
    const bundled = spawnSync(process.execPath, ['tools/local/bundle.mjs', ...PLACES], { cwd: ROOT, encoding: 'utf8' });
    if (bundled.status !== 0) throw new Error(bundled.stderr);
    server = await startPostgres('embedded');
    fresh = await freshDatabase(server);
    folder = mkdtempSync(path.join(os.tmpdir(), 'fatal-errors-'));
    writeFileSync(path.join(folder, 'throws-on-signal.cjs'), THROWS_ON_SIGNAL);
  });
  afterAll(async () => {
    await fresh?.drop();
    await server?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it.each(PLACES)('makes %s log the cause, drain and exit with code 1', async (place) => {
    const port = String(await freePort());
    const managementPort = String(await freePort());
    const program = path.join(ROOT, 'dist', place, 'main.cjs');
    // a migration ends immediately when its database answers
    const databaseUrl = place === 'tools/migrate' ? 'postgres://nobody@127.0.0.1:1/none' : fresh.url;
    const child = spawn(process.execPath, ['--require', path.join(folder, 'throws-on-signal.cjs'), program], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        PATH: process.env['PATH'] ?? '',
        DATABASE_URL: databaseUrl,
        EVENT_BUS: 'postgres',
        OBJECT_STORE: 'local',
        DATA_DIR: folder,
        HOST: '127.0.0.1',
        PORT: port,
        METRICS_PORT: managementPort,
        DRAIN_SECONDS: '1',
        ...(place === 'apps/gateway' ? SIGN_IN : {}),
      },
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString('utf8')));
    const exited = once(child, 'exit');
    try {
      await pollUntil(() => {
        if (child.exitCode !== null) throw new Error(`it ended: ${output}`);
        if (!/ready for work|the gateway listens|waiting for the database/.test(output)) throw new Error(`not ready: ${output}`);
        return Promise.resolve(true);
      });
      child.kill('SIGUSR2');
      expect((await exited)[0]).toBe(1);
    } finally {
      child.kill('SIGKILL');
    }
    const lines = output.split('\n').filter((line) => line.includes('"fatal error; the process drains and ends"'));
    expect(lines).toHaveLength(1);
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      level: 'error',
      event: 'uncaughtException',
      error: { message: 'a defect without a handler' },
    });
  });
});
