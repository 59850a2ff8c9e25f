import { BULK_LIMITS, Database } from '@autoposter/persistence';
import { retry } from '@autoposter/resilience';
import { CommandError } from '../../prepare/command-line.mjs';
import { refuseForeignDatabase, seedDemo } from './seed-demo';

const CONNECT_TIMEOUT_MS = 30_000;
/** SQLSTATE: insufficient_privilege, duplicate_table. */
const INSUFFICIENT_PRIVILEGE = '42501';
const DUPLICATE_TABLE = '42P07';

/**
 * A program: `node fill-database.cjs [--seed] [--external]` with the address of the database on standard input, because the process list
 * is public; `--external` for a database that is not the launcher's own. Prints the names of the applied migrations as JSON. It is a
 * process of its own so that its memory is released.
 */
async function main(): Promise<void> {
  const url = await readInput();
  const database = await connect(url);
  try {
    const seeds = process.argv.includes('--seed');
    if (seeds && process.argv.includes('--external')) await refuseForeignDatabase(database);
    const applied = await migrate(database);
    if (seeds) await seedDemo(database);
    process.stdout.write(`${JSON.stringify(applied)}\n`);
  } finally {
    await database.close();
  }
}

async function readInput(): Promise<string> {
  let text = '';
  for await (const chunk of process.stdin) text += String(chunk);
  return text.trim();
}

/** Migrates the schema to this version and returns the names of the applied migrations. */
export async function migrate(database: Database): Promise<string[]> {
  try {
    return (await database.migrate()).applied;
  } catch (error) {
    if (error instanceof Error && error.name === 'SchemaError') throw new CommandError(error.message);
    const { code, message } = error as { code?: unknown; message: string };
    if (code === INSUFFICIENT_PRIVILEGE) {
      throw new CommandError(`The account of DATABASE_URL may not create tables (${message}): make it the owner of the database.`);
    }
    if (code === DUPLICATE_TABLE) {
      throw new CommandError(`Another program uses the database of DATABASE_URL (${message}): give Autoposter a database of its own.`);
    }
    throw error;
  }
}

/** Waits for a server that is starting. */
function connect(url: string): Promise<Database> {
  const deadline = Date.now() + CONNECT_TIMEOUT_MS;
  const settings = { url, poolSize: 2, applicationName: 'launcher', limits: BULK_LIMITS };
  const untilDeadline = { shouldRetry: () => Date.now() < deadline, firstPauseMs: 100, longestPauseMs: 100 };
  return retry(() => Database.connect(settings), untilDeadline).catch((error: Error) => {
    throw new CommandError(`The database at ${withoutPassword(url)} does not answer: ${error.message}`);
  });
}

function withoutPassword(url: string): string {
  try {
    const { host, pathname } = new URL(url);
    return host + pathname;
  } catch {
    return 'DATABASE_URL';
  }
}

if (require.main === module) {
  main().catch((error: unknown) => {
    const known = error instanceof Error && error.name === 'CommandError';
    process.stderr.write(`${known ? error.message : error instanceof Error ? error.stack : String(error)}\n`);
    process.exitCode = 1;
  });
}
