import { FakeDatabase, NOW } from '@autoposter/testkit';
import { KEPT_ELSEWHERE, type LogSource, type ProcessLine } from './log-source';
import { LogsService } from './logs.service';

const ACTOR = 'admin@example.com';
const line = (level: number, msg: string): ProcessLine => ({
  at: NOW.getTime(),
  process: 'gateway',
  fromErrorStream: false,
  text: JSON.stringify({ level, time: NOW.getTime(), msg }),
});
const shown = (label: string, msg: string) => `2026-05-05T10:00:00.000Z ${label} [gateway] ${msg}`;
const LINES = [line(50, 'first'), line(30, 'fine'), line(50, 'second')];

function arrange(source: Partial<LogSource> = {}, stubs: Record<string, unknown> = {}) {
  const fake = new FakeDatabase(stubs);
  const logs = {
    tail: jest.fn(async (_scope: string, lines: number) => LINES.slice(-lines)),
    elsewhere: async () => null,
    clear: jest.fn(async () => undefined),
    ...source,
  };
  return { fake, logs, service: new LogsService(fake.database, logs) };
}

describe('LogsService', () => {
  it('shows the last lines of the gateway', async () => {
    const { logs, service } = arrange();
    expect(await service.server(2)).toEqual([shown('INFO', 'fine'), shown('ERROR', 'second')]);
    expect(logs.tail).toHaveBeenCalledWith('server', 2);
  });

  it('searches 5,000 lines for the newest errors', async () => {
    const { logs, service } = arrange();
    expect(await service.errors(1)).toEqual([shown('ERROR', 'second')]);
    expect(logs.tail).toHaveBeenCalledWith('server', 5_000);
  });

  it.each([
    ['error', [shown('ERROR', 'first'), shown('ERROR', 'second')], 5_000],
    ['out', [shown('ERROR', 'first'), shown('INFO', 'fine'), shown('ERROR', 'second')], 10],
  ])('shows lines of type %s of all processes', async (type, expected, read) => {
    const { logs, service } = arrange();
    expect(await service.processes({ type, lines: 10 } as never)).toEqual(expected);
    expect(logs.tail).toHaveBeenCalledWith('all', read);
  });

  it('says where the logs are if they cannot be read here', async () => {
    expect(await arrange({ tail: async () => [], elsewhere: async () => KEPT_ELSEWHERE }).service.server(10)).toEqual([
      `- INFO [gateway] ${KEPT_ELSEWHERE}`,
    ]);
    expect(await arrange({ tail: async () => [] }).service.server(10)).toEqual([]);
  });

  it('shows server, browser and error lines at once', async () => {
    const entry = { level: 'warn', message: 'Slow.', source: null, loggedAt: NOW };
    const { service } = arrange({}, { 'browserLogs.last': [entry] });
    expect(await service.all(1)).toEqual({
      success: true,
      serverLogs: [shown('ERROR', 'second')],
      browserLogs: [{ level: 'warn', message: 'Slow.', source: null, timestamp: NOW.toISOString() }],
      errorLogs: [shown('ERROR', 'second')],
    });
  });

  it('redacts secrets in browser entries', async () => {
    const { fake, service } = arrange();
    const secret = 'https://x?access_token=EAABsecretsecretsecret';
    await service.takeBrowserEntries([
      { level: 'error', message: `Failed: ${secret}`, source: secret, timestamp: NOW.toISOString() },
      { level: 'info', message: 'Fine.', source: null, timestamp: NOW.toISOString() },
    ]);
    const [entries] = fake.argsOf('browserLogs.add')[0] as [{ source: string | null; loggedAt: Date }[]];
    expect(JSON.stringify(entries)).not.toContain('EAABsecret');
    expect(entries.map(({ source, loggedAt }) => [source === null, loggedAt])).toEqual([
      [false, NOW],
      [true, NOW],
    ]);
  });

  it('clears both kinds of logs and records it', async () => {
    const { fake, logs, service } = arrange();
    await service.clear(ACTOR);
    expect([(logs.clear as jest.Mock).mock.calls.length, fake.argsOf('browserLogs.clear').length, fake.auditActions]).toEqual([
      1,
      1,
      ['logs.clear'],
    ]);
  });

  it('keeps the browser entries if the process logs cannot be cleared', async () => {
    const { fake, service } = arrange({ clear: () => Promise.reject(new Error('read-only')) });
    await expect(service.clear(ACTOR)).rejects.toThrow('read-only');
    expect(fake.argsOf('browserLogs.clear')).toEqual([]);
  });
});
