import { request } from 'node:http';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describeGateway } from '../testing/describe-gateway';
import { GatewayFixture } from '../testing/gateway-fixture';

jest.setTimeout(60_000);

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
  const send = (host: string) =>
    new Promise<number>((resolve, reject) => {
      const body = JSON.stringify({ batch: true, logs: [entry] });
      const headers = { host, authorization: `Bearer ${gateway.token}`, 'content-type': 'application/json' };
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

  it('take browser entries from this machine and under its own name only', async () => {
    expect(await send('127.0.0.1:3000')).toBe(200);
    expect(await send('localhost')).toBe(200);
    expect(await send('autoposter.example')).toBe(403);
    expect(await send('127.0.0.1.evil.example')).toBe(403);
    expect((await gateway.call('get', '/api/logs/browser-logs')).body.logs).toEqual([entry, entry]);
  });

  it('are empty after clearing', async () => {
    await gateway.call('post', '/api/logs/clear-logs').expect(200);
    const { body } = await gateway.call('get', '/api/logs/all-logs');
    expect(body).toEqual({ success: true, serverLogs: [], browserLogs: [], errorLogs: [] });
  });
});
