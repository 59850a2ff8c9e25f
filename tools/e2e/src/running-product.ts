import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';

const ROOT = path.resolve(__dirname, '../../..');
const UP_WITHIN_MS = 180_000;

/** What the launcher writes about a run; only what a journey needs of it. */
interface RunState {
  readyAt: string | null;
  startedAt: string;
  address: string;
  databaseUrl: string;
  addresses: Record<string, string>;
  processes: { name: string; pid: number }[];
}

/** The demo as a person starts it, with a folder and ports of its own. */
export class RunningProduct {
  private constructor(
    private readonly launcher: ChildProcess,
    private readonly dataDir: string,
    readonly state: RunState,
    private readonly said: () => string,
  ) {}

  static async start(dataDir: string, env: Record<string, string | undefined>): Promise<RunningProduct> {
    fs.rmSync(dataDir, { recursive: true, force: true });
    const launcher = spawn(process.execPath, ['tools/local/demo.mjs', '--yes'], {
      cwd: ROOT,
      env: { ...env, DATA_DIR: dataDir, PORT: String(await freePort()) },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
    let said = '';
    for (const stream of [launcher.stdout, launcher.stderr]) stream.on('data', (chunk: Buffer) => (said += chunk.toString()));
    for (const until = Date.now() + UP_WITHIN_MS; ;) {
      const state = readState(dataDir);
      if (state?.readyAt) return new RunningProduct(launcher, dataDir, state, () => said);
      if (launcher.exitCode !== null || Date.now() > until) {
        launcher.kill('SIGTERM');
        throw new Error(`The demo did not come up:\n${said}`);
      }
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  }

  /** Milliseconds since everything was up. */
  get age(): number {
    return Date.now() - Date.parse(this.state.readyAt ?? '');
  }

  get words(): string {
    return this.said();
  }

  /** The last lines of every log, for the report of a failure. */
  logs(lines = 15): string {
    const folder = path.join(this.dataDir, 'logs');
    return fs
      .readdirSync(folder)
      .filter((name) => !name.startsWith('postgres'))
      .map((name) => `── ${name}\n${fs.readFileSync(path.join(folder, name), 'utf8').trimEnd().split('\n').slice(-lines).join('\n')}`)
      .join('\n');
  }

  /** Stops as Ctrl-C does. Resolves with the exit code and the processes that are still there, which should be none. */
  async stop(): Promise<{ code: number | null; left: string[] }> {
    const { processes } = readState(this.dataDir) ?? this.state;
    if (this.launcher.exitCode === null) {
      this.launcher.kill('SIGINT');
      await once(this.launcher, 'exit');
    }
    const left = processes.filter(({ pid }) => isAlive(pid)).map(({ name }) => name);
    return { code: this.launcher.exitCode, left };
  }
}

async function freePort(): Promise<number> {
  const server = net.createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as net.AddressInfo;
  server.close();
  return port;
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
