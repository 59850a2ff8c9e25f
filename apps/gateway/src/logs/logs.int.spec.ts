import { request } from 'node:http';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describeGateway } from '../testing/gateway-fixture';
import { GatewayFixture } from '../testing/gateway-fixture';

const KEY = 'x'.repeat(24);
/** The kind of secret, a text that contains it, and the part that must be masked. */
const SECRETS: readonly (readonly [string, string, string])[] = [
  ['a bearer token', `Authorization: Bearer ${KEY}`, KEY],
  ['a session', `token eyJhbGciOiJIUzI1NiJ9.${KEY}.${KEY}`, KEY],
  ['a token in an address', `GET /admin?token=${KEY}&x=1`, KEY],
  ['a signed address', `https://cdn.example/a?expires=1&signature=${KEY}`, KEY],
  ['the password of the database', `postgresql://admin:${KEY}@db:5432/autoposter`, KEY],
  ['the key of Gemini', `AIza${KEY}`, KEY],
  ['the key of Groq', `gsk_${KEY}`, KEY],
  ['a token of Instagram', `IGAA${KEY}`, KEY],
  ['a token of Facebook', `EAAB${KEY}`, KEY],
  ["Google's access token", `ya29.${KEY}`, KEY],
  ["Google's client secret", `GOCSPX-${KEY}`, KEY],
  ["Google's refresh token", `1//0${KEY}`, KEY],
  ['a variable', `REDDIT_CLIENT_SECRET=${KEY}`, KEY],
  ['another variable', `MINIO_SECRET_KEY: ${KEY}`, KEY],
  ['the secret of sessions', `JWT_SECRET=${KEY}`, KEY],
  ['a field of JSON', `{"client_secret":"${KEY}"}`, KEY],
  ['a field of quoted JSON', `{\\"access_token\\":\\"${KEY}\\"}`, KEY],
];

describeGateway('logs', () => {
  let gateway: GatewayFixture;
  beforeAll(async () => {
    gateway = await GatewayFixture.start();
    const folder = gateway.settings.logFolder ?? '';
    await mkdir(folder, { recursive: true });
    const line = (level: string, msg: string) => `${JSON.stringify({ level, time: '2026-05-05T10:00:00.000Z', msg })}\n`;
    await writeFile(join(folder, 'gateway-out.log'), line('info', 'fine') + line('error', 'not fine'));
    await writeFile(join(folder, 'ai-worker-out.log'), line('info', 'elsewhere'));
  });
  afterAll(() => gateway?.stop());

  const entry = { level: 'warn', message: 'slow', source: '/admin/urls', timestamp: '2026-05-05T10:00:00.000Z' };
  const send = (host: string, more: Record<string, string> = {}) =>
    new Promise<number>((resolve, reject) => {
      const body = JSON.stringify({ batch: true, logs: [entry] });
      const headers = { host, authorization: `Bearer ${gateway.token}`, 'content-type': 'application/json', ...more };
      request(`${gateway.address}/api/logs/browser-logs`, { method: 'POST', headers }, (response) => {
        response.resume();
        resolve(response.statusCode ?? 0);
      })
        .on('error', reject)
        .end(body);
    });

  it('show the server, all processes, or their errors', async () => {
    const logs = async (path: string) => (await gateway.call('get', path)).body.logs as string[];
    expect((await logs('/api/logs/server-logs')).map((text) => text.split('] ')[1])).toEqual(['fine', 'not fine']);
    expect(await logs('/api/logs/error-logs')).toEqual(['2026-05-05T10:00:00.000Z ERROR [gateway] not fine']);
    expect(await logs('/api/logs/pm2-logs?type=out')).toHaveLength(3);
    expect(await logs('/api/logs/pm2-logs?type=error&lines=1')).toHaveLength(1);
  });

  it('returns the same lines individually and at once', async () => {
    await gateway.call('post', '/api/logs/browser-logs', { batch: true, logs: [entry] }).expect(200);
    const { body: all } = await gateway.call('get', '/api/logs/all-logs?lines=1');
    for (const [name, path] of [
      ['serverLogs', 'server-logs'],
      ['errorLogs', 'error-logs'],
      ['browserLogs', 'browser-logs'],
    ] as const) {
      expect(all[name]).toEqual((await gateway.call('get', `/api/logs/${path}?lines=1`)).body.logs);
      expect(all[name]).toHaveLength(1);
    }
    await gateway.database.sql.query('DELETE FROM browser_logs');
  });

  it('accepts browser entries from a loopback peer with a loopback host only', async () => {
    expect(await send('127.0.0.1:3000')).toBe(200);
    expect(await send('localhost')).toBe(200);
    expect(await send('autoposter.example')).toBe(403);
    expect(await send('127.0.0.1.evil.example')).toBe(403);
    expect((await gateway.call('get', '/api/logs/browser-logs')).body.logs).toEqual([entry, entry]);
  });

  it.each([
    ['names whom it speaks for', { 'x-forwarded-for': '203.0.113.7' }],
    ['names itself by the standard', { forwarded: 'for=203.0.113.7;host=autoposter.example' }],
    ['has no session and another origin', { origin: 'https://autoposter.example' }],
    ['hides where the page is from', { origin: 'null' }],
  ])('refuses entries from behind a local proxy that %s', async (_how, headers) => {
    expect(await send('127.0.0.1:3000', headers)).toBe(403);
  });

  it('accepts entries of a page on this machine', async () => {
    expect(await send('localhost:3000', { origin: 'http://localhost:3000' })).toBe(200);
    expect(await send('[::1]:3000', { origin: 'http://[::1]:5173' })).toBe(200);
    await gateway.call('post', '/api/logs/clear-logs').expect(200);
  });

  it.each(SECRETS)('redacts secrets: %s', async (_kind, text, secret) => {
    const folder = gateway.settings.logFolder ?? '';
    await writeFile(join(folder, 'ai-worker-error.log'), `Error: ${text}\n    at somewhere\n`);
    const batch = { batch: true, logs: [{ ...entry, message: text, source: `/x?note=${text}` }] };
    await gateway.call('post', '/api/logs/browser-logs', batch).expect(200);
    for (const path of ['pm2-logs?type=out', 'pm2-logs?type=error', 'browser-logs', 'all-logs']) {
      const answer = (await gateway.call('get', `/api/logs/${path}`)).text;
      expect([path, answer.includes(secret)]).toEqual([path, false]);
    }
    await writeFile(join(folder, 'ai-worker-error.log'), '');
  });

  it('explains where the logs are if none are stored', async () => {
    const bare = await GatewayFixture.start();
    for (const path of ['server-logs', 'error-logs', 'pm2-logs?type=out', 'pm2-logs?type=error']) {
      const { logs } = (await bare.call('get', `/api/logs/${path}`)).body;
      expect(logs).toEqual([expect.stringMatching(/^- INFO \[gateway\] .*docker compose logs.*LOG_DIR/u)]);
    }
    await bare.stop();
  });

  it('are empty after clearing', async () => {
    await gateway.call('post', '/api/logs/clear-logs').expect(200);
    const { body } = await gateway.call('get', '/api/logs/all-logs');
    expect(body).toEqual({ success: true, serverLogs: [], browserLogs: [], errorLogs: [] });
  });
});
