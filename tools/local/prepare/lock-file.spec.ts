import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { isSameProcess, startOf, takeLock } from './lock-file.mjs';

describe('takeLock', () => {
  let file: string;

  beforeEach(() => {
    file = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'lock-')), 'run/lock');
  });
  afterEach(() => fs.rmSync(path.dirname(path.dirname(file)), { recursive: true }));

  it('returns the holder to the next caller', () => {
    const release = takeLock(file);
    expect(takeLock(file)).toEqual({ pid: process.pid });
    (release as () => void)();
    expect(takeLock(file)).toBeInstanceOf(Function);
  });

  it('takes over the lock of a process that has ended', async () => {
    const gone = spawn(process.execPath, ['-e', '']);
    await once(gone, 'exit');
    writeHolder(gone.pid ?? 0, null);
    expect(takeLock(file)).toBeInstanceOf(Function);
  });

  it('takes over the lock when another process has the same id', () => {
    writeHolder(process.pid, 'another time');
    expect(isSameProcess({ pid: process.pid, started: startOf(process.pid) })).toBe(true);
    expect(takeLock(file)).toBeInstanceOf(Function);
  });

  it('takes over a lock file that was written in part', () => {
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, '{"pid":12');
    expect(takeLock(file)).toBeInstanceOf(Function);
  });

  it('leaves no other file in its folder', () => {
    const release = takeLock(file);
    takeLock(file);
    expect(fs.readdirSync(path.dirname(file))).toEqual(['lock']);
    (release as () => void)();
    expect(fs.readdirSync(path.dirname(file))).toEqual([]);
  });

  function writeHolder(pid: number, started: string | null): void {
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, JSON.stringify({ pid, started }));
  }
});
