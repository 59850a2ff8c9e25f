import { randomBytes } from 'node:crypto';
import { BULK_LIMITS, Database } from '@autoposter/persistence';
import type { PostgresServer } from './postgres-server';

export interface FreshDatabase {
  database: Database;
  url: string;
  /** A further connection pool to the same database, closed with it. */
  connectAgain(poolSize?: number): Promise<Database>;
  drop(): Promise<void>;
}

/** On a shared server the template exists already; its name is the same in every process. */
const TEMPLATE = 'autoposter_template';
const templates = new Map<string, Promise<unknown>>();

/** Address of a database of its own: without anything in it, or with the whole schema, cloned from a template that is made once per server. */
export async function createDatabase(server: PostgresServer, content: 'empty' | 'schema'): Promise<string> {
  const name = `test_${randomBytes(6).toString('hex')}`;
  await onServer(server, `CREATE DATABASE ${name}${content === 'schema' ? ` TEMPLATE ${await templateOf(server)}` : ''}`);
  return addressOf(server, name);
}

/** A migrated, empty database of its own, with a connection pool to it. */
export async function freshDatabase(server: PostgresServer, poolSize = 10): Promise<FreshDatabase> {
  const url = await createDatabase(server, 'schema');
  const open: Database[] = [];
  const connectAgain = async (size = 4): Promise<Database> => {
    const database = await Database.connect({ url, poolSize: size, applicationName: 'test', limits: BULK_LIMITS });
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

/** Creates the migrated database from which those of the tests are cloned. Without connections a clone never has to wait. */
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
export function addressOf(server: PostgresServer, name: string): string {
  const url = new URL(server.url);
  url.pathname = `/${name}`;
  return url.toString();
}
