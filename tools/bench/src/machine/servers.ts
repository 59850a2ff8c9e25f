import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import { connect } from 'node:net';
import path from 'node:path';
import { readProcessSettings } from '@autoposter/config';
import { Database } from '@autoposter/persistence';
import { createDatabase, freePort, pollUntil, startEmbeddedPostgres } from '@autoposter/testkit';
import { progress } from '../bench';

export interface BenchPostgres {
  pid: number;
  version: string;
  /** URL of a new database, empty or with the product's schema. */
  freshDatabase(content: 'empty' | 'product'): Promise<string>;
  /** Counts the statements of a database from its next connections on; timed runs are not counted, because counting costs CPU time. */
  countStatements(databaseUrl: string): Promise<void>;
  /** What was executed in a database so far, complete once its connections are closed. */
  workIn(databaseUrl: string): Promise<DatabaseWork>;
  stop(): Promise<void>;
}

export interface DatabaseWork {
  /** BEGIN and COMMIT included. */
  statements: number;
  transactions: number;
  /** Inserted, updated and deleted rows. */
  rowWrites: number;
}

const COUNTING = ['shared_preload_libraries=pg_stat_statements', 'pg_stat_statements.track=none'];
/** Without Autoposter's notifications, whose number depends on the time that the items take: a slow machine sends more of them. */
const WORK = `
  SELECT (calls - notifications)::int AS statements, (xact_commit + xact_rollback - notifications)::int AS transactions,
    (tup_inserted + tup_updated + tup_deleted)::int AS "rowWrites"
  FROM pg_stat_database d CROSS JOIN LATERAL (
    SELECT coalesce(sum(calls), 0) AS calls, coalesce(sum(calls) FILTER (WHERE query LIKE 'SELECT pg_notify(%'), 0) AS notifications
    FROM pg_stat_statements s WHERE s.dbid = d.datid) AS counted
  WHERE datname = $1`;

/** Embedded PostgreSQL with the durability settings of the product. */
export async function startPostgres(): Promise<BenchPostgres> {
  const server = await startEmbeddedPostgres({ durable: true, settings: COUNTING });
  const database = await Database.connect({ url: server.url, poolSize: 1 });
  const [answer] = await database.sql.query<{ server_version: string }>('SHOW server_version');
  await database.sql.query('CREATE EXTENSION pg_stat_statements');
  await database.close();
  const query = async <R>(text: string, values?: unknown[]): Promise<R[]> => {
    const connection = await Database.connect({ url: server.url, poolSize: 1 });
    return connection.sql.query<R>(text, values).finally(() => connection.close());
  };
  const nameIn = (databaseUrl: string): string => new URL(databaseUrl).pathname.slice(1);
  return {
    pid: server.pid,
    version: answer?.server_version ?? 'unknown',
    freshDatabase: (content) => createDatabase(server, content === 'product' ? 'schema' : 'empty'),
    countStatements: async (databaseUrl) => {
      await query(`ALTER DATABASE ${nameIn(databaseUrl)} SET pg_stat_statements.track = 'top'`);
    },
    workIn: async (databaseUrl) => {
      const [work] = await query<DatabaseWork>(WORK, [nameIn(databaseUrl)]);
      if (work === undefined) throw new Error('the database is gone');
      return work;
    },
    stop: () => server.stop(),
  };
}

export interface BenchRedis {
  pid: number;
  port: number;
  version: string;
  stop(): Promise<void>;
}

/** Commands that install `redis-server`; the first available package manager is used. */
const MANAGERS = [
  {
    program: 'apt-get',
    commands: ['update -qq', 'install -y -qq --no-install-recommends -o DPkg::Lock::Timeout=300 redis-server'],
  },
  { program: 'dnf', commands: ['install -y -q redis'] },
  { program: 'apk', commands: ['add --quiet redis'] },
  { program: 'brew', commands: ['install --quiet redis'] },
];

/** Starts Redis without persistence. `null` when it is neither installed nor installable. */
export async function startRedis(): Promise<BenchRedis | null> {
  const program = onPath('redis-server') ?? installRedis();
  if (program === null) return null;
  const port = await freePort();
  const server = spawn(program, ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--dir', '/tmp'], {
    stdio: 'ignore',
  });
  const kill = (): void => void server.kill('SIGKILL');
  process.on('exit', kill);
  const exited = once(server, 'exit');
  await acceptsConnections(port);
  const version = /v=(\S+)/u.exec(spawnSync(program, ['--version'], { encoding: 'utf8' }).stdout)?.[1] ?? 'unknown';
  return {
    pid: server.pid ?? 0,
    port,
    version,
    stop: async () => {
      process.off('exit', kill);
      server.kill('SIGTERM');
      await exited;
    },
  };
}

function installRedis(): string | null {
  const manager = MANAGERS.find(({ program }) => onPath(program) !== null);
  const canInstall = process.getuid?.() === 0 || manager?.program === 'brew';
  const commands = manager?.commands.map((args) => `${manager.program} ${args}`).join(' && ');
  if (manager === undefined || !canInstall) {
    progress(
      `redis-server is missing, skipping BullMQ; to include it: ${commands === undefined ? 'install redis-server' : `sudo ${commands}`}`,
    );
    return null;
  }
  progress(`redis-server is missing, installing it: ${commands}`);
  for (const args of manager.commands) {
    const { status } = spawnSync(manager.program, args.split(' '), { stdio: ['ignore', 'ignore', 'inherit'] });
    if (status !== 0) {
      progress('redis-server could not be installed, skipping BullMQ');
      return null;
    }
  }
  return onPath('redis-server');
}

function onPath(name: string): string | null {
  const files = readProcessSettings()
    .path.split(path.delimiter)
    .filter(Boolean)
    .map((folder) => path.join(folder, name));
  return files.find((file) => fs.existsSync(file)) ?? null;
}

async function acceptsConnections(port: number): Promise<void> {
  const connects = (): Promise<boolean> =>
    new Promise((resolve) => {
      const socket = connect(port, '127.0.0.1', () => (socket.destroy(), resolve(true)));
      socket.once('error', () => resolve(false));
    });
  await pollUntil(connects, 30_000, 'redis-server', 50);
}
