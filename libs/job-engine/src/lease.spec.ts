import ts from 'typescript';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import { join } from 'node:path';
import { setImmediate as immediate, setTimeout as pause } from 'node:timers/promises';
import { readProcessSettings } from '@autoposter/config';
import { LeaseKeeper, leaseInstant } from './lease';

describe('LeaseKeeper', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  const keep = (renew: () => Promise<boolean>) => {
    const lost: string[] = [];
    const keeper = new LeaseKeeper({ leaseSeconds: 30, requestedAt: leaseInstant(), renew, onLost: (why) => lost.push(why) });
    return { keeper, lost };
  };

  it('renews the lease every third of its duration', async () => {
    const renew = jest.fn(() => Promise.resolve(true));
    const { keeper, lost } = keep(renew);
    await jest.advanceTimersByTimeAsync(120_000);
    expect(renew).toHaveBeenCalledTimes(12);
    expect(lost).toEqual([]);
    keeper.stop();
    await jest.advanceTimersByTimeAsync(60_000);
    expect(renew).toHaveBeenCalledTimes(12);
  });

  it('reports a lease that the database gave to another worker as lost, once', async () => {
    const { lost } = keep(() => Promise.resolve(false));
    await jest.advanceTimersByTimeAsync(60_000);
    expect(lost).toEqual(['taken_over']);
  });

  it.each([
    ['rejects', () => Promise.reject(new Error('away'))],
    ['never answers', () => new Promise<boolean>(() => undefined)],
  ])('is lost after half of its time when the database %s', async (_how, renew) => {
    const { lost } = keep(renew);
    await jest.advanceTimersByTimeAsync(14_900);
    expect(lost).toEqual([]);
    await jest.advanceTimersByTimeAsync(3_000);
    expect(lost).toEqual(['database_silent']);
  });

  it('counts a renewal from its request, not from its answer', async () => {
    let answer: (held: boolean) => void = () => undefined;
    const renew = jest.fn(() => new Promise<boolean>((resolve) => (answer = resolve)));
    const keeper = new LeaseKeeper({ leaseSeconds: 30, requestedAt: leaseInstant(), renew, onLost: () => undefined });
    await jest.advanceTimersByTimeAsync(14_000);
    answer(true);
    await jest.advanceTimersByTimeAsync(10_500);
    expect([keeper.isHeld, renew.mock.calls.length]).toEqual([true, 2]);
    await jest.advanceTimersByTimeAsync(1_000);
    expect([keeper.isHeld, renew.mock.calls.length]).toEqual([false, 2]);
    keeper.stop();
  });

  it('asks once while the database is slow, also if an intent renewed the lease meanwhile', async () => {
    const renew = jest.fn(() => new Promise<boolean>(() => undefined));
    const { keeper, lost } = keep(renew);
    await jest.advanceTimersByTimeAsync(14_000);
    keeper.confirm(leaseInstant());
    await jest.advanceTimersByTimeAsync(12_000);
    expect([keeper.isHeld, lost, renew.mock.calls.length]).toEqual([true, [], 1]);
    keeper.stop();
  });

  it('reports no loss after it was stopped', async () => {
    let answer: (held: boolean) => void = () => undefined;
    const { keeper, lost } = keep(() => new Promise((resolve) => (answer = resolve)));
    await jest.advanceTimersByTimeAsync(10_000);
    keeper.stop();
    answer(false);
    await jest.advanceTimersByTimeAsync(60_000);
    expect(lost).toEqual([]);
  });

  it('renews but reports no loss while the end is committed, because an ended job is refused too', async () => {
    const renew = jest.fn(() => Promise.resolve(true));
    const { keeper, lost } = keep(renew);
    keeper.leaveToCommit();
    await jest.advanceTimersByTimeAsync(10_000);
    // also after an outage, so that no other worker takes the job before the end is written
    renew.mockRejectedValue(new Error('away'));
    await jest.advanceTimersByTimeAsync(30_000);
    renew.mockResolvedValue(false);
    await jest.advanceTimersByTimeAsync(60_000);
    expect([renew.mock.calls.length, lost, keeper.isHeld]).toEqual([5, [], false]);
  });

  it('is not lost when the process was busy and the answer of the database waits to be read', async () => {
    jest.useRealTimers().useFakeTimers({ doNotFake: ['setImmediate'] });
    let answer: (held: boolean) => void = () => undefined;
    const { keeper, lost } = keep(() => new Promise((resolve) => (answer = resolve)));
    jest.advanceTimersByTime(10_000);
    // timers that are due run before what was received meanwhile
    jest.setSystemTime(Date.now() + 10_000);
    jest.advanceTimersByTime(2_500);
    answer(true);
    await immediate();
    expect([keeper.isHeld, lost]).toEqual([true, []]);
    keeper.stop();
  });

  it('is not held after a pause without timers, until the database confirms it again', () => {
    const monotonic = jest.spyOn(performance, 'now').mockReturnValue(1000);
    const { keeper, lost } = keep(() => Promise.resolve(true));
    expect(keeper.isHeld).toBe(true);
    monotonic.mockReturnValue(1000 + 15_001);
    expect([keeper.isHeld, lost]).toEqual([false, []]);
    keeper.confirm(leaseInstant());
    expect(keeper.isHeld).toBe(true);
    keeper.stop();
    expect(keeper.isHeld).toBe(false);
    monotonic.mockRestore();
  });

  it('is not held after a suspension that only the wall clock shows', () => {
    const monotonic = jest.spyOn(performance, 'now').mockReturnValue(1000);
    const { keeper } = keep(() => Promise.resolve(true));
    jest.setSystemTime(Date.now() - 3_600_000);
    expect(keeper.isHeld).toBe(true);
    jest.setSystemTime(Date.now() + 3_600_000 + 15_001);
    expect(keeper.isHeld).toBe(false);
    keeper.stop();
    monotonic.mockRestore();
  });

  it('is not held after a suspension that ends with a wall clock set back by as much', () => {
    const monotonic = jest.spyOn(performance, 'now').mockReturnValue(1000);
    const uptime = jest.spyOn(os, 'uptime').mockReturnValue(500);
    const { keeper } = keep(() => Promise.resolve(true));
    expect(keeper.isHeld).toBe(true);
    uptime.mockReturnValue(515.01);
    expect(keeper.isHeld).toBe(false);
    keeper.stop();
    for (const clock of [monotonic, uptime]) clock.mockRestore();
  });
});

describe('LeaseKeeper in a process frozen by SIGSTOP', () => {
  /** Blocks the event loop between intent and call until it reads a byte, then prints whether it would call. */
  const PROGRAM = `
    const { readSync, writeSync } = require('node:fs');
    const { LeaseKeeper, leaseInstant } = require('./lease.cjs');
    const leaseSeconds = Number(process.argv[2]);
    const keeper = new LeaseKeeper({ leaseSeconds, requestedAt: leaseInstant(), renew: () => Promise.resolve(true), onLost: () => undefined });
    writeSync(1, 'intent ');
    readSync(0, Buffer.alloc(1));
    writeSync(1, keeper.isHeld ? 'calls' : 'does not call');
    process.exit(0);`;

  const frozenFor = async (ms: number, leaseSeconds: number): Promise<string> => {
    const folder = mkdtempSync(join(readProcessSettings().temporaryFolder, 'autoposter-frozen-'));
    try {
      const { outputText } = ts.transpileModule(readFileSync(join(__dirname, 'lease.ts'), 'utf8'), {
        compilerOptions: { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022 },
      });
      writeFileSync(join(folder, 'lease.cjs'), outputText);
      writeFileSync(join(folder, 'main.cjs'), PROGRAM);
      const child = spawn(process.execPath, [join(folder, 'main.cjs'), String(leaseSeconds)], { stdio: ['pipe', 'pipe', 'inherit'] });
      let said = '';
      child.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()));
      const closed = once(child, 'close');
      // a program that fails at its start prints nothing
      await Promise.race([once(child.stdout, 'data'), closed]);
      child.kill('SIGSTOP');
      await pause(ms);
      child.stdin.write('x');
      child.kill('SIGCONT');
      await closed;
      return said;
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  };

  it('makes no call after a pause longer than half the lease, and calls after a shorter one', async () => {
    expect(await frozenFor(600, 1)).toBe('intent does not call');
    expect(await frozenFor(10, 3600)).toBe('intent calls');
  });
});
