import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runProcess, watchProgress, type ProcessRun } from './run-process';
import { failureKind } from './testing/media-samples';

describe('runProcess', () => {
  const sh = (script: string, more: Partial<ProcessRun> = {}) =>
    runProcess({ program: '/bin/sh', arguments: ['-c', script], signal: new AbortController().signal, timeoutMs: 10_000, ...more });
  const alive = (mark: string) =>
    execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' })
      .split('\n')
      .filter((line) => line.includes(mark) && !line.startsWith('ps '));

  it('returns the output and passes no environment of this process', async () => {
    expect((await sh('echo hello')).toString()).toBe('hello\n');
    expect((await sh('env')).toString()).not.toMatch(/JEST|NODE_|SECRET/);
  });

  it.each([
    ['moov atom not found', 'corrupt_media'],
    ['x: Invalid data found when processing input', 'corrupt_media'],
    ["Protocol 'http' not on whitelist 'file,pipe'", 'unsupported_media'],
    ['av_interleaved_write_frame(): File too large', 'too_large'],
    ['a complaint without a known text', 'corrupt_media'],
    ["Unrecognized option 'colour'", 'internal'],
    ["No such filter: 'zscale'", 'internal'],
    ['write: No space left on device', 'transient'],
  ])('maps %j to %s', async (said, kind) => {
    expect(await failureKind(sh(`echo "${said}" >&2; exit 1`))).toBe(kind);
  });

  it('reports a full disk of a program that exits with 0, as ffmpeg does when it cannot write the index of a file', async () => {
    const said = 'Error writing trailer of x.mp4: No space left on device';
    await expect(sh(`echo "${said}" >&2`)).rejects.toMatchObject({ failure: { code: 'media_disk_full' } });
  });

  it('keeps the end of the error output, without paths', async () => {
    const failing = sh('i=0; while [ $i -lt 3000 ]; do echo noise >&2; i=$((i+1)); done; echo "/tmp/secret/x.mp4: last words" >&2; exit 3');
    await expect(failing).rejects.toMatchObject({ failure: { detail: { exit: 3, said: expect.stringMatching(/<file>: last words$/) } } });
    await expect(failing).rejects.toMatchObject({ failure: { detail: { said: expect.not.stringContaining('secret') } } });
  });

  it('kills a process group that ignores SIGTERM after a timeout', async () => {
    // far longer than this test may take
    const script = `trap '' TERM; sh -c 'trap "" TERM; sleep 314.159' & sleep 314.159; sleep 314.159`;
    expect(await failureKind(sh(script, { timeoutMs: 200 }))).toBe('transient');
    expect(alive('314.159')).toEqual([]);
  });

  it('ends a run without progress', async () => {
    const idle = 'while :; do echo "frame=1" >&3; sleep 0.05; done';
    await expect(sh(idle, { stallMs: 300 })).rejects.toThrow('no progress');
  });

  it('stops on abort, also before the start', async () => {
    const controller = new AbortController();
    const running = failureKind(sh('sleep 27.1828', { signal: controller.signal }));
    controller.abort();
    expect(await running).toBe('transient');
    expect(await failureKind(sh('echo never', { signal: controller.signal }))).toBe('transient');
    expect(alive('27.1828')).toEqual([]);
  });

  it('reports a missing program by name', async () => {
    const missing = runProcess({ program: '/nowhere/ffmpeg', arguments: [], signal: new AbortController().signal, timeoutMs: 1000 });
    await expect(missing).rejects.toMatchObject({
      failure: { kind: 'not_configured', side: 'operator', message: '"/nowhere/ffmpeg" cannot be started.' },
    });
  });

  it('ends a program with unlimited output', async () => {
    expect(await failureKind(sh('yes'))).toBe('internal');
  });

  (process.platform === 'linux' ? it : it.skip)('keeps files, memory and processor time within bounds', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'bounds-'));
    try {
      expect(await failureKind(sh(`exec head -c 3000000 /dev/zero > ${folder}/big`, { fileBytes: 1_000_000 }))).toBe('too_large');
      expect((await stat(join(folder, 'big'))).size).toBe(1_000_000);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
    expect(await failureKind(sh('exec sh -c "while :; do :; done"', { cpuSeconds: 1 }))).toBe('too_large');
  });
});

describe('watchProgress', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it('counts changed numbers and output as progress, but not repeated numbers', () => {
    const onStall = jest.fn();
    const watch = watchProgress(300, onStall);
    jest.advanceTimersByTime(299);
    watch.report('frame=1\nfps=25');
    jest.advanceTimersByTime(299);
    watch.report('frame=2\nfps=25');
    jest.advanceTimersByTime(299);
    watch.touch();
    jest.advanceTimersByTime(299);
    watch.report('frame=2\nfps=24');
    expect(onStall).not.toHaveBeenCalled();
    jest.advanceTimersByTime(1);
    expect(onStall).toHaveBeenCalledTimes(1);
  });

  it('never stalls without a limit or after it was stopped', () => {
    const onStall = jest.fn();
    watchProgress(undefined, onStall);
    watchProgress(300, onStall).stop();
    jest.advanceTimersByTime(10_000);
    expect(onStall).not.toHaveBeenCalled();
  });
});
