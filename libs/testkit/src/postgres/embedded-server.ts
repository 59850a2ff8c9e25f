import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { readProcessSettings } from '@autoposter/config';
import { Database } from '@autoposter/persistence';
import { freePort } from '../containers';
import { type Account, embeddedHome, serverAccount } from './embedded-binaries';

export interface PostgresServer {
  kind: 'container' | 'embedded' | 'configured';
  /** Address of the maintenance database, with a user who may create databases. */
  url: string;
  /** Kills the server without a shutdown, like a crash. */
  halt(): Promise<void>;
  /** Restarts it on the same port with the same data. */
  resume(): Promise<void>;
  stop(): Promise<void>;
}

const START_TIMEOUT_MS = 30_000;
const ENVIRONMENT = { LC_ALL: 'C', TZ: 'UTC', PATH: '/usr/bin:/bin' };
const SETTINGS = ['shared_buffers=64MB', 'jit=off', 'timezone=UTC', 'listen_addresses=127.0.0.1', 'unix_socket_directories='];
/** Tests need no durability against power loss; commits still survive a crash of the server process. */
const FOR_TESTS = ['fsync=off', 'full_page_writes=off', 'max_connections=300'];
/** The product's settings, for benchmarks. */
const DURABLE = ['max_connections=120'];

export interface EmbeddedServer extends PostgresServer {
  /** Process id of the postmaster. */
  readonly pid: number;
}

/** PostgreSQL 18 from the npm package on a free port, in a temporary folder that `stop` deletes. */
export async function startEmbeddedPostgres({ durable = false } = {}): Promise<EmbeddedServer> {
  const scratch = readProcessSettings().temporaryFolder;
  const account = serverAccount();
  const home = embeddedHome(account, scratch);
  const folder = mkdtempSync(join(scratch, 'autoposter-test-pg-'));
  if (account !== null) chownSync(folder, account.uid, account.gid);
  const data = join(folder, 'data');
  const made = spawnSync(
    join(home, 'bin/initdb'),
    [
      ...[`--pgdata=${data}`, '--username=postgres', '--auth=trust', '--encoding=UTF8', '--locale=C', '--no-instructions'],
      ...(durable ? [] : ['--no-sync']),
    ],
    { cwd: '/', env: ENVIRONMENT, encoding: 'utf8', ...account },
  );
  if (made.status !== 0) throw new Error(`initdb failed: ${made.stderr || String(made.error)}`);
  const port = await freePort();
  const url = `postgresql://postgres@127.0.0.1:${port}/postgres`;
  const settings = [...SETTINGS, ...(durable ? DURABLE : FOR_TESTS)];
  const launch = (): ChildProcess =>
    startServer(home, ['-D', data, '-p', String(port), ...settings.flatMap((one) => ['-c', one])], account);
  let child = launch();
  const clean = (): void => rmSync(folder, { recursive: true, force: true });
  // a killed test process must not leave its server running
  const onExit = (): void => (child.kill('SIGQUIT'), clean());
  process.on('exit', onExit);
  await waitUntilReady(url, child);
  const halt = async (signal: NodeJS.Signals): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, 'exit');
    child.kill(signal);
    await gone;
  };
  return {
    kind: 'embedded',
    url,
    get pid() {
      return child.pid ?? 0;
    },
    halt: () => halt('SIGQUIT'),
    resume: async () => {
      child = launch();
      await waitUntilReady(url, child);
    },
    stop: async () => {
      await halt('SIGINT');
      process.off('exit', onExit);
      clean();
    },
  };
}

function startServer(home: string, args: readonly string[], account: Account | null): ChildProcess {
  return spawn(join(home, 'bin/postgres'), args, { cwd: '/', env: ENVIRONMENT, stdio: 'ignore', ...account });
}

async function waitUntilReady(url: string, child: ChildProcess): Promise<void> {
  for (const until = performance.now() + START_TIMEOUT_MS; performance.now() < until;) {
    if (child.exitCode !== null) throw new Error(`the embedded PostgreSQL exited during start (code ${child.exitCode})`);
    try {
      const database = await Database.connect({ url, poolSize: 1 });
      await database.close();
      return;
    } catch {
      await pause(50);
    }
  }
  throw new Error('the embedded PostgreSQL did not answer');
}
