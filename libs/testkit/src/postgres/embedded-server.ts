import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { readProcessSettings } from '@autoposter/config';
import { Database } from '@autoposter/persistence';
import { freePort } from '../containers/free-port';
import { embeddedHome, serverAccount, type Account } from './embedded-binaries';
import type { PostgresServer } from './postgres-server';

const START_TIMEOUT_MS = 30_000;
const ENVIRONMENT = { LC_ALL: 'C', TZ: 'UTC', PATH: '/usr/bin:/bin' };
const SETTINGS = ['shared_buffers=64MB', 'jit=off', 'timezone=UTC', 'listen_addresses=127.0.0.1', 'unix_socket_directories='];
/** Nothing of a test has to survive a power cut; what was committed survives the end of the server's process all the same. */
const FOR_TESTS = ['fsync=off', 'full_page_writes=off', 'max_connections=300'];
/** As the product runs it: what is measured may not be cheaper than in use. */
const AS_IN_USE = ['max_connections=120'];

export interface EmbeddedServer extends PostgresServer {
  /** Of the server's first process. */
  readonly pid: number;
}

/** PostgreSQL 18 from the npm package, on a free port of this machine, in a folder of its own that goes with it. */
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
  if (made.status !== 0) throw new Error(`initdb did not succeed: ${made.stderr || String(made.error)}`);
  const port = await freePort();
  const url = `postgresql://postgres@127.0.0.1:${port}/postgres`;
  const settings = [...SETTINGS, ...(durable ? AS_IN_USE : FOR_TESTS)];
  const launch = (): ChildProcess =>
    startServer(home, ['-D', data, '-p', String(port), ...settings.flatMap((one) => ['-c', one])], account);
  let child = launch();
  const clean = (): void => rmSync(folder, { recursive: true, force: true });
  // a test process that is ended from outside must not leave its server behind
  const onExit = (): void => (child.kill('SIGQUIT'), clean());
  process.on('exit', onExit);
  await untilItAnswers(url, child);
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
      await untilItAnswers(url, child);
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

async function untilItAnswers(url: string, child: ChildProcess): Promise<void> {
  for (const until = performance.now() + START_TIMEOUT_MS; performance.now() < until;) {
    if (child.exitCode !== null) throw new Error(`the embedded PostgreSQL ended at once (code ${child.exitCode})`);
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
