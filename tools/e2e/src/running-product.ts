import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';

const ROOT = path.resolve(__dirname, '../../..');
const START_TIMEOUT_MS = 180_000;

/** The part of the launcher's state file that the tests use. */
interface RunState {
  readyAt: string | null;
  startedAt: string;
  address: string;
  databaseUrl: string;
  addresses: Record<string, string>;
  processes: { name: string; pid: number }[];
}

/** A running demo with its own data directory and ports. */
export class RunningProduct {
  private constructor(
    private readonly launcher: ChildProcess,
    private readonly dataDir: string,
    readonly state: RunState,
    private readonly readOutput: () => string,
  ) {}

  static async start(dataDir: string, env: Record<string, string | undefined>): Promise<RunningProduct> {
    fs.rmSync(dataDir, { recursive: true, force: true });
    const launcher = spawn(process.execPath, ['tools/local/demo.mjs', '--yes'], {
      cwd: ROOT,
      env: { ...env, DATA_DIR: dataDir, PORT: String(await freePort()) },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
    let output = '';
    for (const stream of [launcher.stdout, launcher.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
    for (const deadline = Date.now() + START_TIMEOUT_MS; ;) {
      const state = readState(dataDir);
      if (state?.readyAt) return new RunningProduct(launcher, dataDir, state, () => output);
      if (launcher.exitCode !== null || Date.now() > deadline) {
        launcher.kill('SIGTERM');
        throw new Error(`The demo did not start:\n${output}`);
      }
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  }

  /** Milliseconds since all services were ready. */
  get age(): number {
    return Date.now() - Date.parse(this.state.readyAt ?? '');
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
    if (this.launcher.exitCode === null) {
      this.launcher.kill('SIGINT');
      await once(this.launcher, 'exit');
    }
    const running = processes.filter(({ pid }) => isAlive(pid)).map(({ name }) => name);
    return { code: this.launcher.exitCode, running };
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
