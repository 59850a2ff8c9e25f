import { BULK_LIMITS, Database, RETENTION_RULES } from '@autoposter/persistence';
import { aboutMachine, type BenchArguments, type BenchResult, progress } from '../bench';
import { startPostgres } from '../machine/servers';
import { addFinishedItems } from '../scale/finished-items';
import { tableOf } from '../spread';

const ITEMS_PER_SECOND = 10;
const HOUR_SECONDS = 3600;
/** Simulated hours for which rows are kept, and simulated hours after the first deletion. */
const KEPT_HOURS = 24;
const FLAT_HOURS = 24;
/** As many rows as the product deletes with one statement. */
const BATCH = 1000;
/** PostgreSQL's autovacuum starts when a fifth of a table is dead: about this often while a day of rows is kept. */
const HOURS_BETWEEN_VACUUMS = 5;
/** The largest accepted growth, from the first 12 hours after the first day to the last 12, of rows and of bytes (with indexes and dead rows). */
const MAX_GROWTH = 1.05;
const TABLES = ['stage_jobs', 'event_history'] as const;

interface Hour {
  rows: number[];
  bytes: number[];
  /** Time that retention took, as a share of the simulated hour. */
  share: number;
}

/**
 * Finished items arrive at `n` per second for 48 simulated hours. The product's rules delete rows that are 24 hours old, so the tables may not grow
 * after the first day. The rules count whole days, so a day of the database clock stands for a simulated hour.
 */
export async function retention({ n }: BenchArguments): Promise<BenchResult> {
  const perHour = (n ?? ITEMS_PER_SECOND) * HOUR_SECONDS;
  const postgres = await startPostgres();
  const database = await Database.connect({ url: await postgres.freshDatabase('product'), poolSize: 1, limits: BULK_LIMITS });
  try {
    const hours: Hour[] = [];
    const all = KEPT_HOURS + FLAT_HOURS;
    for (let hour = 1; hour <= all; hour += 1) {
      const [first, last] = [(hour - 1) * perHour + 1, hour * perHour];
      await addFinishedItems(database, { first, last, minutesAgo: (all - hour) * 24 * 60, overMinutes: 24 * 60 });
      const seconds = await deleteOlder(database, all - hour + KEPT_HOURS);
      if (hour % HOURS_BETWEEN_VACUUMS === 0) for (const table of TABLES) await database.sql.query(`VACUUM (ANALYZE) ${table}`);
      hours.push({ ...(await sizes(database)), share: seconds / HOUR_SECONDS });
      progress(
        `hour ${hour}: ${TABLES.map((table, at) => `${table} ${hours.at(-1)?.rows[at] ?? 0} rows`).join(', ')}; retention ${seconds.toFixed(1)} s`,
      );
    }
    return report(hours, perHour / HOUR_SECONDS);
  } finally {
    await database.close();
    await postgres.stop();
  }
}

/** Deletes all rows that are older than this number of days; returns the seconds that it took. */
async function deleteOlder({ read }: Database, days: number): Promise<number> {
  const begun = performance.now();
  for (const rule of RETENTION_RULES) while ((await read.retention.prune(rule, days, BATCH)) >= BATCH);
  return (performance.now() - begun) / 1000;
}

async function sizes({ sql }: Database): Promise<Pick<Hour, 'rows' | 'bytes'>> {
  const [rows, bytes]: [number[], number[]] = [[], []];
  for (const table of TABLES) {
    const [size] = await sql.query<{ rows: number; bytes: number }>(
      `SELECT (SELECT count(*)::int FROM ${table}) AS rows, pg_total_relation_size('${table}')::float8 AS bytes`,
    );
    rows.push(size?.rows ?? 0);
    bytes.push(size?.bytes ?? 0);
  }
  return { rows, bytes };
}

function report(hours: readonly Hour[], itemsPerSecond: number): BenchResult {
  const flat = hours.slice(KEPT_HOURS);
  const largest = (part: readonly Hour[], kind: 'rows' | 'bytes', at: number): number =>
    Math.max(...part.map((hour) => hour[kind][at] ?? 0));
  const growth = (kind: 'rows' | 'bytes', at: number): number =>
    Number((largest(flat.slice(FLAT_HOURS / 2), kind, at) / largest(flat.slice(0, FLAT_HOURS / 2), kind, at)).toFixed(3));
  const tables = TABLES.map((table, at) => ({
    table,
    rows: largest(flat, 'rows', at),
    rowGrowth: growth('rows', at),
    mib: Math.round(largest(flat, 'bytes', at) / 2 ** 20),
    byteGrowth: growth('bytes', at),
  }));
  const share = Number(Math.max(...flat.map((hour) => hour.share)).toFixed(4));
  const grown = tables.filter(({ rowGrowth, byteGrowth }) => Math.max(rowGrowth, byteGrowth) > MAX_GROWTH);
  if (grown.length > 0) throw new Error(`tables grow after the first day: ${JSON.stringify(grown)}`);
  return {
    table: tableOf([
      ['table', 'rows', 'growth', 'MiB', 'growth'],
      ...tables.map(({ table, rows, rowGrowth, mib, byteGrowth }) => [table, ...[rows, rowGrowth, mib, byteGrowth].map(String)]),
      ['time of retention, largest share of an hour', '', '', '', String(share)],
    ]),
    facts: { itemsPerSecond, keptHours: KEPT_HOURS, hours: hours.length, tables, largestShareOfAnHour: share, machine: aboutMachine() },
  };
}
