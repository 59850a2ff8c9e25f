import { type ChildProcess, spawn } from 'node:child_process';
import { startOf } from '../../prepare/single-run.mjs';
import { RotatingLog } from './rotating-log';

export interface ProcessSpec {
  name: string;
  command: string;
  args: string[];
  env: Record<string, string | undefined>;
  cwd: string;
  /** Output goes to `<logFolder>/<name>-out.log` and `<name>-error.log`. */
  logFolder: string;
  stopSignal: NodeJS.Signals;
  /** How long an orderly end may take before the process is killed. */
  graceMs: number;
  owner?: { uid: number; gid: number };
  /** Opens a channel whose end tells the process that the launcher is gone; for Node programs only. */
  leavesWithUs: boolean;
}

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 30_000;
/** A process that lived this long was well; the next crash starts with the shortest pause again. */
const WELL_AFTER_MS = 60_000;

/**
 * A process of its own group that is started again when it ends by itself, with growing pauses, and that is stopped together with
 * everything it started: first asked, after the grace time killed.
 */
export class SupervisedProcess {
  private child: ChildProcess | null = null;
  private stopping = false;
  private closed = false;
  private pauseMs = FIRST_PAUSE_MS;
  private restart: NodeJS.Timeout | null = null;
  private ended: Promise<void> = Promise.resolve();
  private readonly out: RotatingLog;
  private readonly error: RotatingLog;
  /** Gets what it writes to its standard output. */
  onOutput: ((text: string) => void) | null = null;
  restarts = 0;
  /** The last lines it wrote, for the sentence that says why it did not start. */
  lastLines = '';

  constructor(
    readonly spec: ProcessSpec,
    private readonly say: (text: string) => void,
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
      stdio: spec.leavesWithUs ? ['ignore', 'pipe', 'pipe', 'ipc'] : ['ignore', 'pipe', 'pipe'],
      ...spec.owner,
    });
    this.child = child;
    child.stdout?.on('data', (chunk: Buffer) => {
      this.log(this.out, chunk);
      this.onOutput?.(chunk.toString());
    });
    child.stderr?.on('data', (chunk: Buffer) => this.log(this.error, chunk));
    // an IPC channel closed at the far end while the child is going is no news
    child.on('error', (failure) => this.log(this.error, Buffer.from(`${failure.message}\n`)));
    this.ended = new Promise((resolve) => {
      child.once('exit', (code, signal) => {
        killGroup(child.pid, 'SIGKILL');
        // what it said last is still on the way; a channel that was cut from our side never reports its end
        const closed = new Promise((done) => child.once('close', done));
        const enough = new Promise((done) => setTimeout(done, 200));
        void Promise.race([closed, enough]).then(() => {
          this.child = null;
          resolve();
          if (!this.stopping) this.startAgain(code, signal, Date.now() - startedAt);
          this.onChange();
        });
      });
    });
    this.onChange();
  }

  /** Resolves when the process and what it started are gone. */
  async stop(graceMs = this.spec.graceMs): Promise<void> {
    if (this.stopping) return this.ended;
    this.stopping = true;
    if (this.restart !== null) clearTimeout(this.restart);
    const child = this.child;
    if (child?.pid !== undefined) {
      child.kill(this.spec.stopSignal);
      const timer = setTimeout(() => {
        this.say(`${this.spec.name} did not end in ${Math.round(graceMs / 1000)} s and is killed.`);
        killGroup(child.pid, 'SIGKILL');
      }, graceMs);
      await this.ended;
      clearTimeout(timer);
    }
    this.closed = true;
    this.out.close();
    this.error.close();
  }

  /** What the process notices when we are killed. */
  cutChannel(): void {
    this.child?.disconnect();
  }

  /** For a person who does not want to wait. */
  kill(): void {
    this.stopping = true;
    killGroup(this.child?.pid, 'SIGKILL');
  }

  private log(file: RotatingLog, chunk: Buffer): void {
    this.lastLines = (this.lastLines + chunk.toString()).slice(-2_000);
    if (!this.closed) file.write(chunk);
  }

  private startAgain(code: number | null, signal: NodeJS.Signals | null, livedMs: number): void {
    if (livedMs > WELL_AFTER_MS) this.pauseMs = FIRST_PAUSE_MS;
    const how = signal === null ? `code ${code}` : `signal ${signal}`;
    const { name, logFolder } = this.spec;
    this.say(
      `${name} ended by itself (${how}) and is started again in ${this.pauseMs / 1000} s; its words are in ${logFolder}/${name}-error.log.`,
    );
    this.restarts += 1;
    this.restart = setTimeout(() => this.start(), this.pauseMs);
    this.pauseMs = Math.min(this.pauseMs * 2, LONGEST_PAUSE_MS);
  }
}

/** Signals a process and everything in its group; a group that is gone already is fine. */
export function killGroup(pid: number | undefined, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, signal);
  } catch {
    // nobody left
  }
}
