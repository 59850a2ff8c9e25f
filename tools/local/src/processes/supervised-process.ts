import { type ChildProcess, spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { CommandError } from '../../prepare/command-line.mjs';
import { startOf } from '../../prepare/lock-file.mjs';

export interface ProcessSpec {
  name: string;
  command: string;
  args: string[];
  env: Record<string, string | undefined>;
  cwd: string;
  /** Output goes to `<logFolder>/<name>-out.log` and `<name>-error.log`. */
  logFolder: string;
  stopSignal: NodeJS.Signals;
  /** How long an orderly shutdown may take before the process is killed. */
  graceMs: number;
  owner?: { uid: number; gid: number };
  /** Opens a channel whose end tells the process that the launcher was killed; for Node programs only. */
  exitsWithLauncher: boolean;
}

const FIRST_PAUSE_MS = 500;
const MAX_PAUSE_MS = 30_000;
/** After this lifetime a crash starts with the shortest pause again. */
const STABLE_AFTER_MS = 60_000;
/** How long an orderly shutdown may take when the process is replaced by a new one. */
const RESTART_GRACE_MS = 1_000;
/** How long a start may take on a machine that is busy with other work. */
const START_WITHIN_MS = 60_000;
const MAX_STARTS = 2;
const LATE = Symbol('late');

/**
 * A process in its own process group. It is restarted with growing pauses when it ends unexpectedly, and stopped together with its
 * children: with its stop signal first, with SIGKILL after the grace time.
 */
export class SupervisedProcess {
  private child: ChildProcess | null = null;
  private stopping = false;
  private restarting = false;
  private closed = false;
  private pauseMs = FIRST_PAUSE_MS;
  private retry: NodeJS.Timeout | null = null;
  private ended: Promise<void> = Promise.resolve();
  private readonly out: RotatingLog;
  private readonly error: RotatingLog;
  private unfinishedLine = '';
  /** Receives each line of its standard output. */
  onLine: ((line: string) => void) | null = null;
  /** Restarts after unexpected ends. */
  restarts = 0;
  /** The end of its output, which explains a failed start. */
  lastLines = '';

  constructor(
    readonly spec: ProcessSpec,
    private readonly print: (text: string) => void,
    private readonly onChange: () => void,
  ) {
    this.out = new RotatingLog(`${spec.logFolder}/${spec.name}-out.log`);
    this.error = new RotatingLog(`${spec.logFolder}/${spec.name}-error.log`);
  }

  get pid(): number | null {
    return this.child?.pid ?? null;
  }

  get identity(): { name: string; pid: number; started: string | null } | null {
    const pid = this.pid;
    return pid === null ? null : { name: this.spec.name, pid, started: startOf(pid) };
  }

  start(): void {
    const { spec } = this;
    const startedAt = Date.now();
    const child = spawn(spec.command, spec.args, {
      cwd: spec.cwd,
      env: spec.env,
      detached: true,
      stdio: spec.exitsWithLauncher ? ['ignore', 'pipe', 'pipe', 'ipc'] : ['ignore', 'pipe', 'pipe'],
      ...spec.owner,
    });
    this.child = child;
    child.stdout?.on('data', (chunk: Buffer) => {
      this.log(this.out, chunk);
      this.readLines(chunk.toString());
    });
    child.stderr?.on('data', (chunk: Buffer) => this.log(this.error, chunk));
    // a process that ends while the channel is in use closes it on its side
    child.on('error', (failure) => this.log(this.error, Buffer.from(`${failure.message}\n`)));
    this.ended = new Promise((resolve) => {
      child.once('exit', (code, signal) => {
        killGroup(child.pid, 'SIGKILL');
        // its last output may still be in the pipe; a channel that was disconnected on this side never closes
        const closed = new Promise((done) => child.once('close', done));
        const timeout = new Promise((done) => setTimeout(done, 200));
        void Promise.race([closed, timeout]).then(() => {
          this.child = null;
          resolve();
          if (!this.stopping && !this.restarting) this.startAgain(code, signal, Date.now() - startedAt);
          this.onChange();
        });
      });
    });
    this.onChange();
  }

  /** Resolves when the process and its children have ended. */
  async stop(graceMs = this.spec.graceMs): Promise<void> {
    if (this.stopping) return this.ended;
    this.stopping = true;
    await this.terminate(graceMs);
    this.closed = true;
    this.out.close();
    this.error.close();
  }

  /**
   * Resolves with the result of `isReady`, whose signal ends its work. A process that neither gets ready nor ends is replaced once, as
   * Kubernetes replaces a container whose startup probe fails. `detail` says why it is not ready, as far as that is known.
   */
  async becomesReady<T>(
    isReady: (signal: AbortSignal) => Promise<T>,
    { withinMs = START_WITHIN_MS, detail = () => 'no answer' }: { withinMs?: number; detail?: () => string } = {},
  ): Promise<T> {
    const done = new AbortController();
    const ready = isReady(done.signal);
    const seconds = Math.ceil(withinMs / 1000);
    try {
      for (let starts = 1; starts <= MAX_STARTS; starts += 1) {
        // a run that is stopped meanwhile does not wait for it
        const result = await Promise.race([ready, pause(withinMs, LATE, { ref: false, signal: done.signal })]);
        if (result !== LATE) return result;
        if (starts === MAX_STARTS) break;
        this.print(`${this.spec.name} (process ${this.pid}) is not ready after ${seconds} s and is replaced.`);
        await this.restart();
      }
    } finally {
      done.abort();
    }
    const output = this.lastLines.trim() || '(none)';
    throw new CommandError(
      `${this.spec.name} is not ready after ${MAX_STARTS} starts of ${seconds} s each (${detail()}). Its output:\n${output}`,
    );
  }

  /** Replaces the process by a new one of the same program. */
  async restart(): Promise<void> {
    if (this.stopping || this.restarting) return;
    this.restarting = true;
    await this.terminate(RESTART_GRACE_MS);
    this.restarting = false;
    if (!this.stopping) this.start();
  }

  private async terminate(graceMs: number): Promise<void> {
    if (this.retry !== null) clearTimeout(this.retry);
    const child = this.child;
    if (child?.pid === undefined) return;
    child.kill(this.spec.stopSignal);
    const timer = setTimeout(() => {
      if (!this.restarting) this.print(`${this.spec.name} did not end in ${Math.round(graceMs / 1000)} s and is killed.`);
      killGroup(child.pid, 'SIGKILL');
    }, graceMs);
    await this.ended;
    clearTimeout(timer);
  }

  /** Ends the channel as the death of the launcher does. */
  disconnect(): void {
    this.child?.disconnect();
  }

  /** Ends it without a grace time. */
  kill(): void {
    this.stopping = true;
    killGroup(this.child?.pid, 'SIGKILL');
  }

  private log(file: RotatingLog, chunk: Buffer): void {
    this.lastLines = (this.lastLines + chunk.toString()).slice(-2_000);
    if (!this.closed) file.write(chunk);
  }

  private readLines(text: string): void {
    if (this.onLine === null) return;
    const lines = (this.unfinishedLine + text).split('\n');
    this.unfinishedLine = lines.pop() ?? '';
    for (const line of lines) this.onLine?.(line);
  }

  private startAgain(code: number | null, signal: NodeJS.Signals | null, lifetimeMs: number): void {
    if (lifetimeMs > STABLE_AFTER_MS) this.pauseMs = FIRST_PAUSE_MS;
    const how = signal === null ? `code ${code}` : `signal ${signal}`;
    const { name, logFolder } = this.spec;
    this.print(
      `${name} ended unexpectedly (${how}) and restarts in ${this.pauseMs / 1000} s; its output is in ${logFolder}/${name}-error.log.`,
    );
    this.restarts += 1;
    this.retry = setTimeout(() => this.start(), this.pauseMs);
    this.pauseMs = Math.min(this.pauseMs * 2, MAX_PAUSE_MS);
  }
}

/** Signals a process and everything in its group; a group that has ended is fine. */
export function killGroup(pid: number | undefined, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, signal);
  } catch {
    // the group has ended
  }
}

/** A log file that rotates at `maxBytes` and keeps `keep` older files beside it (`x.log.1` is the newest of those). */
export class RotatingLog {
  private descriptor: number;
  private bytes: number;

  constructor(
    private readonly file: string,
    private readonly maxBytes = 5 * 1024 * 1024,
    private readonly keep = 3,
  ) {
    fs.mkdirSync(path.dirname(file), { recursive: true });
    this.descriptor = fs.openSync(file, 'a');
    this.bytes = fs.fstatSync(this.descriptor).size;
  }

  write(chunk: Buffer): void {
    if (this.bytes > 0 && this.bytes + chunk.length > this.maxBytes) this.rotate();
    fs.writeSync(this.descriptor, chunk);
    this.bytes += chunk.length;
  }

  close(): void {
    fs.closeSync(this.descriptor);
  }

  private rotate(): void {
    fs.closeSync(this.descriptor);
    for (let age = this.keep - 1; age >= 1; age -= 1) {
      if (fs.existsSync(`${this.file}.${age}`)) fs.renameSync(`${this.file}.${age}`, `${this.file}.${age + 1}`);
    }
    fs.renameSync(this.file, `${this.file}.1`);
    this.descriptor = fs.openSync(this.file, 'a');
    this.bytes = 0;
  }
}
