import { randomBytes } from 'node:crypto';
import { BULK_LIMITS, Database, type Publishing } from '@autoposter/persistence';
import type { PostgresServer } from './embedded-server';
import { type PostgresKind, startPostgres } from './start-postgres';

export interface FreshDatabase {
  database: Database;
  url: string;
  /** Another connection pool to the same database; `drop` closes it. */
  connectAgain(poolSize?: number): Promise<Database>;
  drop(): Promise<void>;
}

/** The same name in every process, because processes share servers and templates. */
const TEMPLATE = 'autoposter_template';
const templates = new Map<string, Promise<unknown>>();

/** Creates a database, empty or with the schema, which is cloned from one template per server. Returns its address. */
export async function createDatabase(server: PostgresServer, content: 'empty' | 'schema'): Promise<string> {
  const name = `test_${randomBytes(6).toString('hex')}`;
  await onServer(server, `CREATE DATABASE ${name}${content === 'schema' ? ` TEMPLATE ${await templateOf(server)}` : ''}`);
  return addressOf(server, name);
}

/** A new migrated database with a connection pool. */
export async function freshDatabase(server: PostgresServer, poolSize = 10, publishing?: Publishing): Promise<FreshDatabase> {
  const url = await createDatabase(server, 'schema');
  const open: Database[] = [];
  const connectAgain = async (size = 4): Promise<Database> => {
    const database = await Database.connect({
      url,
      poolSize: size,
      applicationName: 'test',
      limits: BULK_LIMITS,
      ...(publishing ? { publishing } : {}),
    });
    open.push(database);
    return database;
  };
  const database = await connectAgain(poolSize);
  return {
    database,
    url,
    connectAgain,
    drop: async () => {
      await Promise.all(open.map((one) => one.close()));
      await onServer(server, `DROP DATABASE IF EXISTS ${new URL(url).pathname.slice(1)} WITH (FORCE)`);
    },
  };
}

async function templateOf(server: PostgresServer): Promise<string> {
  const [existing] = await onServer(server, `SELECT FROM pg_database WHERE datname = '${TEMPLATE}' AND NOT datallowconn`);
  if (existing === undefined) {
    const created = templates.get(server.url) ?? createTemplate(server);
    templates.set(server.url, created);
    await created;
  }
  return TEMPLATE;
}

/** Creates the migrated template database. It allows no connections, because a clone would wait for them. */
export async function createTemplate(server: PostgresServer): Promise<void> {
  await onServer(server, `CREATE DATABASE ${TEMPLATE}`);
  const database = await Database.connect({ url: addressOf(server, TEMPLATE), poolSize: 2, limits: BULK_LIMITS });
  await database.migrate();
  await database.close();
  await onServer(server, `ALTER DATABASE ${TEMPLATE} ALLOW_CONNECTIONS false`);
}

async function onServer(server: PostgresServer, statement: string): Promise<unknown[]> {
  const database = await Database.connect({ url: server.url, poolSize: 1, limits: BULK_LIMITS });
  try {
    return await database.sql.query(statement);
  } finally {
    await database.close();
  }
}

/** Address of another database of the same server. */
function addressOf(server: PostgresServer, name: string): string {
  const url = new URL(server.url);
  url.pathname = `/${name}`;
  return url.toString();
}

/** A server for the suite and a new database for each test, which `enter` gets. The function that `enter` returns runs before the drop. */
export function useFreshDatabases(
  kind: PostgresKind,
  enter: (fresh: FreshDatabase, server: PostgresServer) => void | Promise<void | (() => Promise<unknown>)>,
  options: { exclusive?: boolean; publishing?: Publishing } = {},
): void {
  let server: PostgresServer | undefined;
  let fresh: FreshDatabase | undefined;
  let leave: (() => Promise<unknown>) | void;
  beforeAll(async () => {
    server = await startPostgres(kind, options);
  }, 120_000);
  afterAll(() => server?.stop());
  beforeEach(async () => {
    if (server === undefined) throw new Error('the server did not start');
    leave = undefined;
    fresh = await freshDatabase(server, 10, options.publishing);
    leave = await enter(fresh, server);
  });
  afterEach(async () => {
    await leave?.();
    await fresh?.drop();
  });
}
