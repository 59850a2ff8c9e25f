import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { isAlive } from '../../prepare/single-run.mjs';
import { RotatingLog } from './rotating-log';
import { SupervisedProcess } from './supervised-process';

let folder: string;
let said: string[];
let running: SupervisedProcess[];

beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'supervised-'));
  said = [];
  running = [];
});
afterEach(async () => {
  await Promise.all(running.map((one) => one.stop(100)));
  fs.rmSync(folder, { recursive: true });
});

describe('a supervised process', () => {
  it('is started again after a crash, and says so', async () => {
    const one = run(`console.log('up'); setInterval(() => {}, 1000)`);
    await until(() => log('out').includes('up'));
    const first = one.pid ?? 0;
    process.kill(first, 'SIGKILL');
    await until(() => one.pid !== null && one.pid !== first);
    expect(one.restarts).toBe(1);
    expect(said).toEqual([expect.stringMatching(/^one ended by itself \(signal SIGKILL\) and is started again in 0.5 s/)]);
  });

  it('is stopped with everything it started', async () => {
    const one = run(`
      const child = require('node:child_process').spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
      console.log('child ' + child.pid);
      process.on('SIGTERM', () => process.exit(0));
    `);
    await until(() => /child \d+\n/.test(log('out')));
    const child = Number(/child (\d+)/.exec(log('out'))?.[1]);
    await one.stop();
    await until(() => !isAlive(child));
    expect(one.pid).toBeNull();
    expect(said).toEqual([]);
  });

  it('is killed when it does not end in time', async () => {
    const one = run(`process.on('SIGTERM', () => console.error('no')); console.log('up'); setInterval(() => {}, 1000)`);
    await until(() => log('out').includes('up'));
    await one.stop(300);
    expect(one.pid).toBeNull();
    expect(log('error')).toBe('no\n');
    expect(said).toEqual([expect.stringContaining('is killed')]);
  });

  it('asked to leave with us, it ends when we are gone', async () => {
    const one = run(`setInterval(() => {}, 1000); console.log('up')`, [
      '--require',
      path.resolve(__dirname, '../../leave-with-parent.cjs'),
    ]);
    await until(() => log('out').includes('up'));
    const first = one.pid ?? 0;
    one.cutChannel();
    await until(() => said.length > 0);
    expect(isAlive(first)).toBe(false);
    expect(said[0]).toContain('signal SIGTERM');
  });
});

describe('a rotating log', () => {
  it('starts anew at its limit and keeps the last ones', () => {
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
      leavesWithUs: args.length > 0,
    },
    (text) => said.push(text),
    () => undefined,
  );
  running.push(one);
  one.start();
  return one;
}

const log = (kind: 'out' | 'error'): string => fs.readFileSync(path.join(folder, `one-${kind}.log`), 'utf8');

async function until(condition: () => boolean, patienceMs = 5_000): Promise<void> {
  for (const end = Date.now() + patienceMs; !condition();) {
    if (Date.now() > end) throw new Error(`not in ${patienceMs} ms: ${condition.toString()}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
