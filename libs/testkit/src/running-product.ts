import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { checkoutRoot, freePort } from './containers';
import { pollUntil } from './poll-until';

/** The part of the launcher's state file that tests use. */
interface RunState {
  readyAt: string | null;
  startedAt: string;
  address: string;
  databaseUrl: string;
  addresses: Record<string, string>;
  processes: { name: string; pid: number }[];
}

interface StartOptions {
  withinMs?: number;
  /** A folder in which the simulated hosts of several products share their generated media, which takes most of their CPU time. */
  mediaCache?: string;
  /** In seconds; the pipeline encodes each video. */
  longestVideo?: number;
  /** How many videos, pictures, … each collected subreddit has at most. */
  postsOfKind?: number;
}

/** A demo as `npm run demo` starts it, with its own data directory and ports. */
export class RunningProduct {
  private constructor(
    private readonly launcher: ChildProcess,
    private readonly dataDir: string,
    readonly state: RunState,
    private readonly readOutput: () => string,
  ) {}

  static async start(
    dataDir: string,
    env: Record<string, string | undefined>,
    { withinMs = 180_000, mediaCache, longestVideo, postsOfKind }: StartOptions = {},
  ): Promise<RunningProduct> {
    fs.rmSync(dataDir, { recursive: true, force: true });
    if (mediaCache !== undefined) linkMedia(dataDir, mediaCache);
    const launcher = spawn(process.execPath, ['tools/local/run.mjs', 'demo', '--yes'], {
      cwd: checkoutRoot(),
      env: {
        ...env,
        DATA_DIR: dataDir,
        PORT: String(await freePort()),
        SIMULATED_LONGEST_VIDEO: longestVideo?.toString(),
        SIMULATED_POSTS_OF_KIND: postsOfKind?.toString(),
      },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
    process.on('exit', () => void launcher.kill('SIGTERM'));
    let output = '';
    for (const stream of [launcher.stdout, launcher.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
    const ready = (): RunState | 'exited' | null => {
      const state = readState(dataDir);
      return state?.readyAt ? state : launcher.exitCode === null ? null : 'exited';
    };
    const state = await pollUntil(ready, withinMs, undefined, 200).catch(() => 'late' as const);
    if (typeof state === 'object') return new RunningProduct(launcher, dataDir, state, () => output);
    launcher.kill('SIGTERM');
    throw new Error(`The demo did not start (${state}):\n${output}`);
  }

  get hasEnded(): boolean {
    return this.launcher.exitCode !== null;
  }

  get output(): string {
    return this.readOutput();
  }

  /** The last lines of each log, for a failure report. */
  logs(lines = 15): string {
    const folder = path.join(this.dataDir, 'logs');
    return fs
      .readdirSync(folder)
      .filter((name) => !name.startsWith('postgres'))
      .map((name) => `── ${name}\n${fs.readFileSync(path.join(folder, name), 'utf8').trimEnd().split('\n').slice(-lines).join('\n')}`)
      .join('\n');
  }

  /** Sends SIGINT. Resolves with the exit code and the names of processes that are still running. */
  async stop(): Promise<{ code: number | null; running: string[] }> {
    const { processes } = readState(this.dataDir) ?? this.state;
    if (!this.hasEnded) {
      this.launcher.kill('SIGINT');
      await once(this.launcher, 'exit');
    }
    const running = processes.filter(({ pid }) => isAlive(pid)).map(({ name }) => name);
    return { code: this.launcher.exitCode, running };
  }
}

function linkMedia(dataDir: string, mediaCache: string): void {
  fs.mkdirSync(mediaCache, { recursive: true });
  fs.mkdirSync(path.join(dataDir, 'simulators'), { recursive: true });
  fs.symlinkSync(mediaCache, path.join(dataDir, 'simulators/media'));
}

function readState(dataDir: string): RunState | null {
  try {
    return JSON.parse(fs.readFileSync(path.join(dataDir, 'run/state.json'), 'utf8')) as RunState;
  } catch {
    return null;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
