import { BULK_LIMITS, Database } from '@autoposter/persistence';
import { PlainStop } from './plain-stop';

const UP_WITHIN_MS = 30_000;
/** SQLSTATE: insufficient_privilege, duplicate_table. */
const NOT_PERMITTED = '42501';
const NAME_TAKEN = '42P07';

/** Opens the database, waiting for a server that is coming up, runs `work` and closes it again. */
export async function withDatabase<T>(url: string, work: (database: Database) => Promise<T>): Promise<T> {
  const database = await connect(url);
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}

/** Brings the schema to this version and tells what was done. */
export async function migrate(database: Database): Promise<string[]> {
  try {
    return (await database.migrate()).applied;
  } catch (error) {
    if (error instanceof Error && error.name === 'SchemaError') throw new PlainStop(error.message);
    const { code, message } = error as { code?: unknown; message: string };
    if (code === NOT_PERMITTED) {
      throw new PlainStop(`The account of DATABASE_URL may not make tables (${message}): make it the owner of the database.`);
    }
    if (code === NAME_TAKEN) {
      throw new PlainStop(`The database of DATABASE_URL is in use by something else (${message}): give Autoposter one of its own.`);
    }
    throw error;
  }
}

async function connect(url: string): Promise<Database> {
  for (const until = Date.now() + UP_WITHIN_MS; ;) {
    try {
      return await Database.connect({ url, poolSize: 2, applicationName: 'launcher', limits: BULK_LIMITS });
    } catch (error) {
      if (Date.now() > until) {
        throw new PlainStop(`The database at ${withoutPassword(url)} does not answer: ${(error as Error).message}`);
      }
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
}

function withoutPassword(url: string): string {
  try {
    const { host, pathname } = new URL(url);
    return host + pathname;
  } catch {
    return 'DATABASE_URL';
  }
}
