import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { isAlive } from '../../prepare/lock-file.mjs';
import { RotatingLog, SupervisedProcess } from './supervised-process';

/** A replaced process starts within this time on a busy machine. */
const STARTS_WITHIN_MS = 5_000;

let folder: string;
let printed: string[];
let running: SupervisedProcess[];

beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'supervised-'));
  printed = [];
  running = [];
});
afterEach(async () => {
  await Promise.all(running.map((one) => one.stop(100)));
  fs.rmSync(folder, { recursive: true });
});

describe('SupervisedProcess', () => {
  it('restarts after a crash and reports it', async () => {
    const one = run(`console.log('up'); setInterval(() => {}, 1000)`);
    await pollUntil(() => log('out').includes('up'));
    const first = one.pid ?? 0;
    process.kill(first, 'SIGKILL');
    await pollUntil(() => one.pid !== null && one.pid !== first);
    expect(one.restarts).toBe(1);
    expect(printed).toEqual([expect.stringMatching(/^one ended unexpectedly \(signal SIGKILL\) and restarts in 0.5 s/)]);
  });

  it('restarts on request without counting a crash', async () => {
    const one = run(`console.log('up'); setInterval(() => {}, 1000)`);
    await pollUntil(() => log('out').includes('up'));
    const first = one.pid ?? 0;
    await one.restart();
    await pollUntil(() => one.pid !== null && one.pid !== first);
    expect([isAlive(first), one.restarts, printed]).toEqual([false, 0, []]);
  });

  it('is replaced once when it neither gets ready nor ends', async () => {
    const marker = path.join(folder, 'first-has-started');
    const one = run(`
      console.log(require('node:fs').existsSync('${marker}') ? 'ready' : 'hangs');
      setInterval(() => {}, 1000);
    `);
    await pollUntil(() => log('out').includes('hangs'));
    fs.writeFileSync(marker, '');
    const first = one.pid ?? 0;
    const ready = new Promise<string>((resolve) => (one.onLine = resolve));
    expect(await one.becomesReady(() => ready, { withinMs: STARTS_WITHIN_MS })).toBe('ready');
    expect([isAlive(first), one.restarts]).toEqual([false, 0]);
    expect(printed).toEqual([`one (process ${first}) is not ready after 5 s and is replaced.`]);
  });

  it('reports what it knows of a process that did not get ready a second time', async () => {
    const one = run(`console.log('waiting for a broker'); setInterval(() => {}, 1000)`);
    const signals: AbortSignal[] = [];
    const never = (signal: AbortSignal) => (signals.push(signal), new Promise<never>(() => undefined));
    await expect(one.becomesReady(never, { withinMs: 500, detail: () => '503 not connected' })).rejects.toThrow(
      /^one is not ready after 2 starts of 1 s each \(503 not connected\)\. Its output:\n(waiting for a broker\n?)*$/,
    );
    expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
  });

  it('passes on whole lines of its output', async () => {
    const lines: string[] = [];
    const one = run(
      `process.stdout.write('fir'); setTimeout(() => process.stdout.write('st\\nsecond\\nunfinished'), 50); setInterval(() => {}, 1000)`,
    );
    one.onLine = (line) => lines.push(line);
    await pollUntil(() => lines.length === 2);
    expect(lines).toEqual(['first', 'second']);
  });

  it('stops together with its children', async () => {
    const one = run(`
      const child = require('node:child_process').spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
      console.log('child ' + child.pid);
      process.on('SIGTERM', () => process.exit(0));
    `);
    await pollUntil(() => /child \d+\n/.test(log('out')));
    const child = Number(/child (\d+)/.exec(log('out'))?.[1]);
    await one.stop();
    await pollUntil(() => !isAlive(child));
    expect(one.pid).toBeNull();
    expect(printed).toEqual([]);
  });

  it('is killed when its shutdown exceeds the grace time', async () => {
    const one = run(`process.on('SIGTERM', () => console.error('no')); console.log('up'); setInterval(() => {}, 1000)`);
    await pollUntil(() => log('out').includes('up'));
    await one.stop(300);
    expect(one.pid).toBeNull();
    expect(log('error')).toBe('no\n');
    expect(printed).toEqual([expect.stringContaining('is killed')]);
  });

  it('ends when the channel to the launcher closes', async () => {
    const one = run(`setInterval(() => {}, 1000); console.log('up')`, [
      '--require',
      path.resolve(__dirname, '../../exit-with-launcher.cjs'),
    ]);
    await pollUntil(() => log('out').includes('up'));
    const first = one.pid ?? 0;
    one.disconnect();
    await pollUntil(() => printed.length > 0);
    expect(isAlive(first)).toBe(false);
    expect(printed[0]).toContain('signal SIGTERM');
  });
});

describe('RotatingLog', () => {
  it('rotates at its limit and keeps the newest files', () => {
    const file = path.join(folder, 'x.log');
    const rotating = new RotatingLog(file, 10, 2);
    for (const text of ['first...', 'second..', 'third...', 'fourth..']) rotating.write(Buffer.from(text));
    rotating.close();
    expect(['', '.1', '.2'].map((age) => fs.readFileSync(file + age, 'utf8'))).toEqual(['fourth..', 'third...', 'second..']);
    expect(fs.readdirSync(folder)).toHaveLength(3);
  });
});

function run(code: string, args: string[] = []): SupervisedProcess {
  const one = new SupervisedProcess(
    {
      name: 'one',
      command: process.execPath,
      args: [...args, '-e', code],
      env: { PATH: process.env.PATH },
      cwd: folder,
      logFolder: folder,
      stopSignal: 'SIGTERM',
      graceMs: 5_000,
      exitsWithLauncher: args.length > 0,
    },
    (text) => printed.push(text),
    () => undefined,
  );
  running.push(one);
  one.start();
  return one;
}

const log = (kind: 'out' | 'error'): string => fs.readFileSync(path.join(folder, `one-${kind}.log`), 'utf8');

async function pollUntil(condition: () => boolean, timeoutMs = 30_000): Promise<void> {
  for (const deadline = Date.now() + timeoutMs; !condition();) {
    if (Date.now() > deadline) throw new Error(`not within ${timeoutMs} ms: ${condition.toString()}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
