import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { readProcessSettings } from '@autoposter/config';
import { preparePostgres } from '@autoposter/embedded-postgres';
import { Database } from '@autoposter/persistence';
import { checkoutRoot, freePort } from '../containers';
import { pollUntil } from '../poll-until';

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
/** Tests need no durability against power loss; commits still survive a crash of the server process. */
const FOR_TESTS = ['-c', 'fsync=off', '-c', 'full_page_writes=off', '-c', 'max_connections=300'];

export interface EmbeddedServer extends PostgresServer {
  /** Process id of the postmaster. */
  readonly pid: number;
}

interface EmbeddedOptions {
  durable?: boolean;
  /** More settings of the server, as `name=value`. */
  settings?: readonly string[];
}

/** The product's embedded PostgreSQL on a free port, in a temporary folder that `stop` deletes; `durable` keeps the product's settings. */
export async function startEmbeddedPostgres({ durable = false, settings = [] }: EmbeddedOptions = {}): Promise<EmbeddedServer> {
  const dataDir = mkdtempSync(join(readProcessSettings().temporaryFolder, 'autoposter-test-pg-'));
  // the account of the server has to enter it
  chmodSync(dataDir, 0o755);
  const { url, dataFolder, server } = await preparePostgres({
    root: checkoutRoot(),
    dataDir,
    port: await freePort(),
    print: (text) => void process.stderr.write(`${text}\n`),
    durable,
  });
  const { command, args, env, cwd, owner } = server;
  const launch = (): ChildProcess =>
    spawn(command, [...args, ...(durable ? [] : FOR_TESTS), ...settings.flatMap((one) => ['-c', one])], {
      cwd,
      env: env as NodeJS.ProcessEnv,
      stdio: 'ignore',
      ...owner,
    });
  let child = launch();
  const clean = (): void => [dataFolder, dataDir].forEach((folder) => rmSync(folder, { recursive: true, force: true }));
  // a killed test process must not leave its server running
  const onExit = (): void => (child.kill('SIGQUIT'), clean());
  process.on('exit', onExit);
  await untilReady(url, child);
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
      await untilReady(url, child);
    },
    stop: async () => {
      await halt('SIGINT');
      process.off('exit', onExit);
      clean();
    },
  };
}

async function untilReady(url: string, child: ChildProcess): Promise<void> {
  const connects = async (): Promise<boolean> => {
    if (child.exitCode !== null) return true;
    await (await Database.connect({ url, poolSize: 1 })).close();
    return true;
  };
  await pollUntil(connects, START_TIMEOUT_MS, 'the embedded PostgreSQL', 50);
  if (child.exitCode !== null) throw new Error(`the embedded PostgreSQL exited during start (code ${child.exitCode})`);
}
