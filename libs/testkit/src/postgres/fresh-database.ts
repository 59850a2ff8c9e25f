import { randomBytes } from 'node:crypto';
import { BULK_LIMITS, Database, type Publishing } from '@autoposter/persistence';
import type { PostgresServer } from './embedded-server';

export interface FreshDatabase {
  database: Database;
  url: string;
  /** Another connection pool to the same database; `drop` closes it. */
  connectAgain(poolSize?: number): Promise<Database>;
  /** Puts it back to what the migrations left, while nothing else uses it. */
  empty(): Promise<void>;
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

/** A migrated database with a connection pool, as new. */
export async function freshDatabase(server: PostgresServer, poolSize = 10, publishing?: Publishing): Promise<FreshDatabase> {
  const connect = (url: string, size: number): Promise<Database> =>
    Database.connect({ url, poolSize: size, applicationName: 'test', limits: BULK_LIMITS, ...(publishing ? { publishing } : {}) });
  const { clean, database } = await openClean(server, (url) => connect(url, poolSize));
  const { url } = clean;
  const open = [database];
  const connectAgain = async (size = 4): Promise<Database> => {
    const another = await connect(url, size);
    open.push(another);
    return another;
  };
  const empty = async (): Promise<void> => {
    if (!(await clean.restore(database))) throw new Error('A test changed the schema of a database that others use.');
  };
  const drop = async (): Promise<void> => {
    await Promise.all(open.map((one) => one.close()));
    unused.set(server.url, [...(unused.get(server.url) ?? []), clean]);
  };
  return { database, url, connectAgain, empty, drop };
}

/** Databases of this suite that tests have dropped, by server. The next tests get them, which takes a fraction of the time of another clone. */
const unused = new Map<string, CleanDatabase[]>();

/** Connects to an unused database, which is restored through the connection of the test: another one costs as much as restoring. */
async function openClean(server: PostgresServer, connect: (url: string) => Promise<Database>) {
  const found = unused.get(server.url)?.pop();
  if (found !== undefined) {
    const database = await connect(found.url);
    await database.sql.query(END_OTHER_CONNECTIONS);
    if (await found.restore(database)) return { clean: found, database };
    await database.close();
    await dropDatabase(server, found.url);
  }
  const clean = await CleanDatabase.create(server);
  return { clean, database: await connect(clean.url) };
}

export async function dropUnused(server: Pick<PostgresServer, 'url'>): Promise<void> {
  for (const { url } of unused.get(server.url)?.splice(0) ?? []) await dropDatabase(server, url);
}

const dropDatabase = (server: Pick<PostgresServer, 'url'>, url: string): Promise<unknown[]> =>
  onServer(server, `DROP DATABASE IF EXISTS ${new URL(url).pathname.slice(1)} WITH (FORCE)`);

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

const onServer = (server: Pick<PostgresServer, 'url'>, statement: string): Promise<unknown[]> =>
  withConnection(server.url, ({ sql }) => sql.query(statement));

async function withConnection<Result>(url: string, work: (database: Database) => Promise<Result>): Promise<Result> {
  const database = await Database.connect({ url, poolSize: 1, limits: BULK_LIMITS });
  try {
    return await work(database);
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

/** Changes with each change of the schema and of the settings of the database. */
const SCHEMA_VERSION = `
  SELECT md5(string_agg(version, ',' ORDER BY version)) AS version FROM (
    SELECT concat_ws(' ', 'table', oid, xmin) FROM pg_class WHERE relnamespace = to_regnamespace('public')
    UNION ALL SELECT concat_ws(' ', 'function', oid, xmin) FROM pg_proc WHERE pronamespace = to_regnamespace('public')
    UNION ALL SELECT concat_ws(' ', 'constraint', oid, xmin) FROM pg_constraint WHERE connamespace = to_regnamespace('public')
    UNION ALL SELECT concat_ws(' ', 'trigger', oid, xmin) FROM pg_trigger
    UNION ALL SELECT concat_ws(' ', 'setting', setconfig) FROM pg_db_role_setting
  ) AS parts (version)`;
const END_OTHER_CONNECTIONS =
  'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()';
/** Large tables are truncated: their deleted rows would slow down the next tests. */
const REMOVE_ROWS = `
  DO $$ DECLARE used record; BEGIN
    SET LOCAL session_replication_role = replica;
    FOR used IN SELECT oid::regclass AS name, pg_relation_size(oid) AS bytes FROM pg_class
      WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace AND pg_relation_size(oid) > 0 LOOP
      IF used.bytes > 250000 THEN EXECUTE format('TRUNCATE %s CASCADE', used.name); ELSE EXECUTE format('DELETE FROM %s', used.name); END IF;
    END LOOP;
  END $$`;
const RESET_SEQUENCES = `SELECT setval(seqrelid, seqstart, false) FROM pg_sequence`;

/** A database that can be put back to what the migrations left. */
class CleanDatabase {
  private constructor(
    readonly url: string,
    private readonly rows: readonly { table: string; rows: string }[],
    private schemaVersion: string,
  ) {}

  static async create(server: PostgresServer): Promise<CleanDatabase> {
    const url = await createDatabase(server, 'schema');
    return withConnection(url, async ({ sql }) => {
      const tables = await sql.query<{ table: string }>(
        `SELECT relname AS table FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace AND pg_relation_size(oid) > 0`,
      );
      const rows = tables.map(async ({ table }) => {
        const [all] = await sql.query<{ rows: string }>(`SELECT json_agg(one)::text AS rows FROM ${table} one`);
        return { table, rows: all?.rows ?? '[]' };
      });
      return new CleanDatabase(url, await Promise.all(rows), await schemaVersionOf(sql));
    });
  }

  /** Removes what tests wrote. Returns `false` if one changed the schema. */
  async restore({ sql }: Database): Promise<boolean> {
    if ((await schemaVersionOf(sql)) !== this.schemaVersion) return false;
    await sql.query(REMOVE_ROWS);
    for (const { table, rows } of this.rows)
      await sql.query(`INSERT INTO ${table} SELECT * FROM json_populate_recordset(NULL::${table}, $1::json)`, [rows]);
    await sql.query(RESET_SEQUENCES);
    this.schemaVersion = await schemaVersionOf(sql);
    return true;
  }
}

async function schemaVersionOf(sql: Database['sql']): Promise<string> {
  const [row] = await sql.query<{ version: string }>(SCHEMA_VERSION);
  return row?.version ?? '';
}
