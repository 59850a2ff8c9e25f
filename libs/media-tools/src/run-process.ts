import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { failureOf, PipelineError } from '@autoposter/domain';
import { FFMPEG_TEXTS } from './tool-texts';

export interface ProcessRun {
  /** Path or name of the program. */
  program: string;
  arguments: readonly string[];
  signal: AbortSignal;
  timeoutMs: number;
  /** Kills the run if `-progress pipe:3` reports no progress for this long. */
  stallMs?: number;
  /** Limits of private memory and of each written file in bytes (Linux). */
  memoryBytes?: number;
  fileBytes?: number;
  /** Limit of processor time in seconds (Linux). */
  cpuSeconds?: number;
  /** Receives the standard output in chunks; without it the output is collected, up to 4 MB. */
  onOutput?: (chunk: Buffer) => void;
  /** Receive the program's output on the descriptors from 4 on. */
  beside?: readonly ((chunk: Buffer) => void)[];
}

const TAIL_BYTES = 4096;
const OUTPUT_BYTES = 4 * 1024 * 1024;
const KILL_AFTER_MS = 1500;
const SIGNALS: Record<number, string> = { 24: 'SIGXCPU', 25: 'SIGXFSZ', 9: 'SIGKILL' };
/** Replaces the environment of this process; `MALLOC_ARENA_MAX` keeps the reserved memory near the used memory. */
const ENVIRONMENT = {
  PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin:/opt/homebrew/bin:/snap/bin',
  HOME: '/nonexistent',
  LC_ALL: 'C',
  AV_LOG_FORCE_NOCOLOR: '1',
  MALLOC_ARENA_MAX: '2',
};

/**
 * Runs a program in its own process group and resolves with its standard output. A timeout, stall, abort or limit ends the whole group with
 * SIGTERM and then SIGKILL; the promise settles when no process of the group is left.
 */
export function runProcess(run: ProcessRun): Promise<Buffer> {
  if (run.signal.aborted) return Promise.reject(workStopped(run.signal));
  const [command, ...args] = confine(run);
  const child = spawn(command as string, args, {
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe', 'pipe', ...(run.beside ?? []).map(() => 'pipe' as const)],
    env: ENVIRONMENT,
    windowsHide: true,
  });
  return new Promise((resolve, reject) => {
    const output: Buffer[] = [];
    let outputBytes = 0;
    let tail = '';
    let lacksMemory = false;
    let reason: Error | null = null;
    let killer: NodeJS.Timeout | undefined;

    const end = (why: Error) => {
      if (reason) return;
      reason = why;
      killGroup(child.pid, 'SIGTERM');
      killer = setTimeout(() => killGroup(child.pid, 'SIGKILL'), KILL_AFTER_MS);
    };
    const seconds = Math.round(run.timeoutMs / 1000);
    const timeout = setTimeout(() => end(PipelineError.of('media_work_timed_out', { fields: { seconds } })), run.timeoutMs);
    const stall = watchProgress(run.stallMs, () => end(PipelineError.of('media_work_stalled')));
    const onAbort = () => end(workStopped(run.signal));
    run.signal.addEventListener('abort', onAbort, { once: true });

    child.stdout?.on('data', (chunk: Buffer) => {
      stall.touch();
      try {
        if (run.onOutput) return run.onOutput(chunk);
      } catch (error) {
        return end(error as Error);
      }
      outputBytes += chunk.length;
      if (outputBytes > OUTPUT_BYTES) return end(PipelineError.of('media_tool_output', { fields: { program: run.program } }));
      output.push(chunk);
    });
    child.stderr?.on('data', (chunk: Buffer) => {
      const text = tail + chunk.toString('utf8');
      // checked per chunk: a decoder reports each frame that it drops for lack of memory, and may still exit with 0
      lacksMemory ||= FFMPEG_TEXTS.memory.test(text);
      tail = text.slice(-TAIL_BYTES);
    });
    child.stdio[3]?.on('data', (chunk: Buffer) => stall.report(chunk.toString('utf8')));
    run.beside?.forEach((take, index) => child.stdio.at(4 + index)?.on('data', take));
    for (const pipe of child.stdio) pipe?.on('error', () => undefined);

    let startError: Error | null = null;
    child.on('error', (error) => (startError = error));
    child.on('close', (code, signal) => {
      clearTimeout(timeout);
      clearTimeout(killer);
      stall.stop();
      run.signal.removeEventListener('abort', onAbort);
      killGroup(child.pid, 'SIGKILL');
      if (startError)
        return reject(new PipelineError(failureOf('media_tool_missing', { fields: { path: run.program } }), { cause: startError }));
      if (reason) return reject(reason);
      const [, streams] = FFMPEG_TEXTS.streams.exec(tail) ?? [];
      if (code !== 0 && streams !== undefined)
        return reject(PipelineError.of('media_too_many_tracks', { fields: { tracks: `more than ${streams}`, limit: Number(streams) } }));
      if (lacksMemory && run.memoryBytes !== undefined) {
        return reject(PipelineError.of('media_exceeds_memory', { detail: { said: lastLines(tail) } }));
      }
      // ffmpeg exits with 0 where the end of the output does not fit on the disk
      if (code === 0 && !FFMPEG_TEXTS.disk.test(tail)) return resolve(Buffer.concat(output));
      reject(explainExit(run, code, signal, tail));
    });
  });
}

const workStopped = ({ reason }: AbortSignal): PipelineError => new PipelineError(failureOf('media_work_stopped'), { cause: reason });

/** Throws the failure of stopped work if the signal is aborted. */
export function assertNotStopped(signal: AbortSignal): void {
  if (signal.aborted) throw workStopped(signal);
}

/** Adds resource limits, a lower priority and the end with the parent process, if the machine has the tools for it. */
function confine(run: ProcessRun): string[] {
  const command = [run.program, ...run.arguments];
  if (process.platform !== 'linux') return command;
  const limits = ['--core=0'];
  // private memory and not address space: a decoder reserves several times what it uses
  if (run.memoryBytes !== undefined) limits.push(`--data=${run.memoryBytes}`);
  if (run.fileBytes !== undefined) limits.push(`--fsize=${run.fileBytes}`);
  if (run.cpuSeconds !== undefined) limits.push(`--cpu=${Math.ceil(run.cpuSeconds)}:${Math.ceil(run.cpuSeconds) + 5}`);
  const nice = has('nice') ? ['nice', '-n', '5'] : [];
  const prlimit = has('prlimit') ? ['prlimit', ...limits, '--'] : [];
  // otherwise the encoder of a killed worker would continue to run
  const setpriv = has('setpriv') ? ['setpriv', '--pdeathsig', 'KILL', '--'] : [];
  return [...setpriv, ...prlimit, ...nice, ...command];
}

const found = new Map<string, boolean>();
function has(tool: string): boolean {
  const known = found.get(tool) ?? ['/usr/bin', '/bin'].some((folder) => existsSync(`${folder}/${tool}`));
  found.set(tool, known);
  return known;
}

function killGroup(pid: number | undefined, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, signal);
  } catch {
    // the group has ended already
  }
}

/** ffmpeg reports twice a second even when it is stuck, so only changed numbers count as progress. */
export function watchProgress(stallMs: number | undefined, onStall: () => void) {
  let timer: NodeJS.Timeout | undefined;
  let last = '';
  const touch = () => {
    clearTimeout(timer);
    if (stallMs !== undefined) timer = setTimeout(onStall, stallMs);
  };
  touch();
  return {
    touch,
    report(text: string) {
      const moved = (text.match(/^(?:frame|out_time_us|total_size)=.*$/gm) ?? []).join();
      if (moved === '' || moved === last) return;
      last = moved;
      touch();
    },
    stop: () => clearTimeout(timer),
  };
}

const TOO_LARGE = [FFMPEG_TEXTS.fileSize, FFMPEG_TEXTS.frameSize, FFMPEG_TEXTS.memory];
const isTooLarge = (text: string): boolean => TOO_LARGE.some((pattern) => pattern.test(text));

function explainExit(run: ProcessRun, code: number | null, signal: NodeJS.Signals | null, tail: string): Error {
  const name = run.program.split('/').pop() ?? run.program;
  const why = signal ?? SIGNALS[(code ?? 0) - 128] ?? null;
  const detail = { program: name, exit: code, signal: why, said: lastLines(tail) };
  if (code === 127 || code === 126)
    return new PipelineError(failureOf('media_tool_missing', { fields: { path: run.program } }), { cause: new Error(lastLines(tail)) });
  if (why === 'SIGXFSZ' || isTooLarge(tail)) return PipelineError.of('media_exceeds_output', { detail });
  if (why === 'SIGXCPU') return PipelineError.of('media_exceeds_cpu', { detail });
  if (FFMPEG_TEXTS.disk.test(tail)) return PipelineError.of('media_disk_full', { detail });
  if (FFMPEG_TEXTS.misused.test(tail))
    return PipelineError.of('media_tool_failed', { fields: { program: name, reason: `exit code ${code ?? 'unknown'}` }, detail });
  if (FFMPEG_TEXTS.forbidden.test(tail)) return PipelineError.of('media_forbidden', { detail });
  if (why === 'SIGKILL' || why === 'SIGTERM') return PipelineError.of('media_tool_killed', { fields: { program: name }, detail });
  // includes a decoder that crashed
  return PipelineError.of('media_unreadable', { fields: { program: name }, detail });
}

/** The end of the tool's error output, without file paths. */
function lastLines(tail: string): string {
  return tail
    .replace(/(?:file:)?\/[^\s':]+/g, '<file>')
    .trim()
    .split('\n')
    .slice(-4)
    .join(' | ')
    .slice(-600);
}
