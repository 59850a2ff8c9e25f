import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { readProcessSettings } from '@autoposter/config';
import { pollUntil, SimulatorControl } from '@autoposter/testkit';
import { ROOT } from '../trial';

interface ProgramExit {
  code: number | null;
  signal: NodeJS.Signals | null;
  /** Milliseconds since 1970. */
  at: number;
}

const KEPT_CHARACTERS = 20_000;
const OUTPUT_WITHIN_MS = 60_000;

const alive = new Set<ChildProcess>();
process.on('exit', () => alive.forEach((child) => child.kill('SIGKILL')));
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

/** A bundled program as a child process, killed at the latest when the trial exits. */
export class Program {
  readonly ended: Promise<ProgramExit>;
  private text = '';
  private end: ProgramExit | null = null;

  private constructor(
    readonly name: string,
    private readonly child: ChildProcess,
  ) {
    alive.add(child);
    const append = (chunk: Buffer): void => void (this.text = (this.text + chunk.toString()).slice(-KEPT_CHARACTERS));
    child.stdout?.on('data', append);
    child.stderr?.on('data', append);
    this.ended = once(child, 'exit').then(([code, signal]: unknown[]) => {
      alive.delete(child);
      this.end = { code: code as number | null, signal: signal as NodeJS.Signals | null, at: Date.now() };
      return this.end;
    });
  }

  /** Starts `dist/<project>/main.cjs` of the workspace, or of a copy of it. */
  static start(project: string, options: { args?: readonly string[]; env: Record<string, string>; root?: string }): Program {
    const file = path.join(options.root ?? ROOT, 'dist', project, 'main.cjs');
    const child = spawn(process.execPath, ['--enable-source-maps', file, ...(options.args ?? [])], {
      cwd: ROOT,
      env: options.env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    return new Program(path.basename(project), child);
  }

  get pid(): number {
    return this.child.pid ?? 0;
  }

  get isAlive(): boolean {
    return this.end === null;
  }

  /** The end of its output. */
  get output(): string {
    return this.text;
  }

  /** Warnings and errors in its latest output. */
  get warnings(): string[] {
    return this.text.split('\n').filter((line) => /"level":"(?:warn|error)"/u.test(line));
  }

  /** The first match in the output; throws when the program exits or the timeout expires before. */
  async waitForOutput(pattern: RegExp): Promise<RegExpMatchArray> {
    const found = await pollUntil(() => this.text.match(pattern) ?? this.end, OUTPUT_WITHIN_MS).catch(() => null);
    if (Array.isArray(found)) return found;
    throw new Error(`${this.name} did not start:\n${this.text.slice(-3000)}`);
  }

  send(signal: NodeJS.Signals): void {
    if (this.end === null) this.child.kill(signal);
  }

  async stop(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    this.send('SIGCONT');
    this.send(signal);
    await this.ended;
  }
}

interface Ready {
  urls: Record<string, string>;
  credentials: Record<string, string>;
  controlUrl: string;
}

export interface RunningSimulators {
  control: SimulatorControl;
  /** Environment variables for the services. */
  env: Record<string, string>;
  program: Program;
}

export async function startSimulators(dataDir: string): Promise<RunningSimulators> {
  const { path: PATH, ffmpegPath, ffprobePath } = readProcessSettings();
  const program = Program.start('tools/simulators', {
    args: ['--data-dir', path.join(dataDir, 'simulators'), '--ffmpeg', ffmpegPath, '--ffprobe', ffprobePath],
    env: { PATH },
  });
  const [line] = await program.waitForOutput(/^\{"ready":true.*\}$/mu);
  const { urls, credentials, controlUrl } = JSON.parse(line) as Ready;
  return {
    program,
    control: new SimulatorControl(controlUrl),
    env: { ...urls, ...credentials, DOWNLOAD_EXTRA_ORIGINS: urls.MEDIA_ORIGIN ?? '' },
  };
}

/** The environment of every service beside these simulators; the gateway has the given port. */
export function productEnvironment(simulators: RunningSimulators, databaseUrl: string, dataDir: string, port: number) {
  const { path: PATH, ffmpegPath, ffprobePath } = readProcessSettings();
  return {
    ...simulators.env,
    PATH,
    FFMPEG_PATH: ffmpegPath,
    FFPROBE_PATH: ffprobePath,
    DATABASE_URL: databaseUrl,
    DATA_DIR: dataDir,
    PORT: String(port),
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    JWT_SECRET: 'trial-secret-without-any-value-to-protect',
  };
}
