import { mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FileLogs } from './file-logs';
import { isError, presentLine, readLine } from './log-line';

const entry = (seconds: number, level: number, msg: string, more: object = {}) =>
  JSON.stringify({ level, time: Date.UTC(2026, 4, 5, 10, 0, seconds), service: 'x', msg, ...more });

describe('the files of the launcher', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'logs-'));
    await writeFile(join(folder, 'gateway-out.log'), `${entry(1, 30, 'one')}\n${entry(3, 50, 'three', { itemId: 7 })}\n  at somewhere\n`);
    await writeFile(join(folder, 'ai-worker-out.log'), `${entry(2, 30, 'two')}\n`);
    await writeFile(join(folder, 'ai-worker-error.log'), 'Segmentation fault\n');
    const crashed = new Date(Date.UTC(2026, 4, 5, 9, 59));
    await utimes(join(folder, 'ai-worker-error.log'), crashed, crashed);
    await writeFile(join(folder, 'gateway-out.log.1'), `${entry(0, 30, 'rotated away')}\n`);
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('tell the gateway alone, or all processes by time', async () => {
    const logs = new FileLogs(folder);
    const texts = async (scope: 'server' | 'all') => (await logs.tail(scope, 100)).map((line) => readLine(line.text).text);
    expect(await texts('server')).toEqual(['one', 'three itemId=7', '  at somewhere']);
    expect(await texts('all')).toEqual(['Segmentation fault', 'one', 'two', 'three itemId=7', '  at somewhere']);
  });

  it('give the newest lines only', async () => {
    const lines = await new FileLogs(folder).tail('server', 2);
    expect(lines.map((line) => presentLine(line))).toEqual([
      '2026-05-05T10:00:03.000Z ERROR [gateway] three itemId=7',
      '2026-05-05T10:00:03.000Z INFO [gateway]   at somewhere',
    ]);
  });

  it('tell the last words of a process where they belong, though they have no time', async () => {
    const crashed = new Date(Date.UTC(2026, 4, 5, 10, 0, 4));
    await utimes(join(folder, 'ai-worker-error.log'), crashed, crashed);
    const [last] = await new FileLogs(folder).tail('all', 1);
    expect(presentLine(last!)).toBe('2026-05-05T10:00:04.000Z ERROR [ai-worker] Segmentation fault');
  });

  it('take the times of programs of others as they write them', async () => {
    await writeFile(join(folder, 'postgres-error.log'), '2026-05-05 10:00:02.500 UTC [1] LOG:  checkpoint\n\tcomplete\n');
    const lines = await new FileLogs(folder).tail('all', 4);
    expect(lines.map(({ process, at }) => [process, new Date(at).toISOString().slice(17)])).toEqual([
      ['postgres', '02.500Z'],
      ['postgres', '02.500Z'],
      ['gateway', '03.000Z'],
      ['gateway', '03.000Z'],
    ]);
  });

  it('leave lines at the beginning of what is shown their time', async () => {
    const stack = Array.from({ length: 5 }, (_, depth) => `  at depth ${depth}`).join('\n');
    await writeFile(join(folder, 'ai-worker-out.log'), `${entry(2, 50, 'two')}\n${stack}\n${entry(8, 30, 'eight')}\n`);
    const [first] = await new FileLogs(folder).tail('all', 3);
    expect(presentLine(first!)).toContain('10:00:03.000Z');
    await writeFile(join(folder, 'gateway-out.log'), '');
    const [deep] = await new FileLogs(folder).tail('all', 2);
    expect(presentLine(deep!)).toBe('2026-05-05T10:00:02.000Z INFO [ai-worker]   at depth 4');
  });

  it('know errors by level, and by stream where there is no level', async () => {
    const lines = (await new FileLogs(folder).tail('all', 100)).filter(isError);
    expect(lines.map((line) => readLine(line.text).text)).toEqual(['Segmentation fault', 'three itemId=7']);
  });

  it('do not take news of PostgreSQL for errors, though it writes them to its error stream', async () => {
    const said = ['LOG:  checkpoint complete', 'ERROR:  duplicate key value violates unique constraint', 'FATAL:  terminating connection'];
    await writeFile(join(folder, 'postgres-error.log'), `${said.map((text) => `2026-05-05 10:00:05.000 UTC [1] ${text}`).join('\n')}\n`);
    const lines = await new FileLogs(folder).tail('all', 100);
    expect(lines.filter(({ process }) => process === 'postgres')).toHaveLength(3);
    expect(lines.filter(isError).some(({ process }) => process === 'postgres')).toBe(false);
    expect(lines.map(presentLine).filter((text) => text.includes('[postgres]'))).toEqual(
      expect.arrayContaining([expect.stringContaining(' INFO ')]),
    );
  });

  it('are empty after clearing, and take up new lines', async () => {
    const logs = new FileLogs(folder);
    await logs.clear();
    expect(await logs.tail('all', 100)).toEqual([]);
    await writeFile(join(folder, 'gateway-out.log'), `${entry(9, 30, 'nine')}\n`, { flag: 'a' });
    expect(await logs.tail('all', 100)).toHaveLength(1);
  });

  it('may be missing altogether', async () => {
    const none = new FileLogs(join(folder, 'none'));
    expect(await none.tail('all', 10)).toEqual([]);
    expect(await none.elsewhere()).toContain('docker compose logs');
    expect(await new FileLogs(folder).elsewhere()).toBeNull();
  });

  it('lose control characters', () => {
    expect(readLine('\u001b[31mred\u001b[0m \u0000text').text).toBe('red text');
  });
});
