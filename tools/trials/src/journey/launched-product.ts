import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { readProcessSettings } from '@autoposter/config';
import { freePort } from '@autoposter/testkit';
import { until } from '../product/until';
import { ROOT } from '../trial';

interface RunState {
  readyAt: string | null;
  address: string;
  addresses: Record<string, string>;
}

const UP_WITHIN_MS = 300_000;

/** The demo as a person starts it, in a folder and on a port of its own. */
export class LaunchedProduct {
  private constructor(
    private readonly launcher: ChildProcess,
    private readonly said: () => string,
    readonly state: RunState,
  ) {}

  static async start(dataDir: string, env: Record<string, string>): Promise<LaunchedProduct> {
    const { environment } = readProcessSettings();
    const launcher = spawn(process.execPath, ['tools/local/demo.mjs', '--yes'], {
      cwd: ROOT,
      env: { ...environment, ...env, DATABASE_URL: '', DATA_DIR: dataDir, PORT: String(await freePort()) },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const end = (): void => void launcher.kill('SIGTERM');
    process.on('exit', end);
    let said = '';
    for (const stream of [launcher.stdout, launcher.stderr]) stream.on('data', (chunk: Buffer) => (said += chunk.toString()));
    const ready = (): Promise<RunState | null> => {
      const state = readState(dataDir);
      return Promise.resolve(state?.readyAt ? state : null);
    };
    const ended = once(launcher, 'exit').then(([code]) => Promise.reject(new Error(`the demo ended by itself (${String(code)})`)));
    const state = await Promise.race([until('the demo', ready, UP_WITHIN_MS), ended]).catch((error: unknown) => {
      end();
      throw new Error(`${error instanceof Error ? error.message : String(error)}\n${said.slice(-2000)}`);
    });
    ended.catch(() => undefined);
    return new LaunchedProduct(launcher, () => said, state);
  }

  /** As Ctrl-C; rejects where it does not end in order. */
  async stop(): Promise<void> {
    if (this.launcher.exitCode !== null) throw new Error(`the demo had ended before: ${this.said().slice(-2000)}`);
    this.launcher.kill('SIGINT');
    const [code] = (await once(this.launcher, 'exit')) as [number | null];
    if (code !== 0) throw new Error(`the demo ended with ${code}: ${this.said().slice(-2000)}`);
  }
}

function readState(dataDir: string): RunState | null {
  try {
    return JSON.parse(fs.readFileSync(path.join(dataDir, 'run/state.json'), 'utf8')) as RunState;
  } catch {
    return null;
  }
}
