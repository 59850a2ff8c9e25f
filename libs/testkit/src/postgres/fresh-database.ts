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

const templates = new Map<string, Promise<string>>();

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

function templateOf(server: PostgresServer): Promise<string> {
  const made = templates.get(server.url) ?? makeTemplate(server);
  templates.set(server.url, made);
  return made;
}

async function makeTemplate(server: PostgresServer): Promise<string> {
  const name = `template_${randomBytes(6).toString('hex')}`;
  await onServer(server, `CREATE DATABASE ${name}`);
  const database = await Database.connect({ url: addressOf(server, name), poolSize: 2, limits: BULK_LIMITS });
  await database.migrate();
  await database.close();
  return name;
}

async function onServer(server: PostgresServer, statement: string): Promise<void> {
  const database = await Database.connect({ url: server.url, poolSize: 1, limits: BULK_LIMITS });
  try {
    await database.sql.query(statement);
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
