import type { DataSource, QueryRunner } from 'typeorm';
import { MIGRATIONS } from '../migrations/migrations';
import { SchemaError } from './database-errors';
import { LOCKS } from './transaction';

interface AppliedMigration {
  name: string;
  servesSince: number | null;
}

export interface SchemaState {
  /** Name of the newest migration in the database; `null` in an empty one. */
  version: string | null;
  /** Whether this program works on the schema: nothing is missing, and no newer migration removed what the program needs. */
  serves: boolean;
  /** The reason as a sentence if it does not; otherwise empty. */
  detail: string;
}

/** The number at the end of a migration's name; also the version of a program whose newest migration this is. */
const numberOf = (name: string): number => Number(/(?<!\d)\d+$/u.exec(name)?.[0] ?? 0);

/**
 * Applies the missing migrations, each in one transaction together with its entry, so a killed migration continues with the next call. A
 * second caller waits for the lock and then has nothing to do.
 */
export async function migrate(source: DataSource): Promise<{ applied: string[] }> {
  const runner = source.createQueryRunner();
  await runner.connect();
  try {
    await runner.query('SELECT pg_advisory_lock($1)', [LOCKS.migration]);
    await runner.query(
      'CREATE TABLE IF NOT EXISTS schema_migrations (name text PRIMARY KEY, applied_at timestamptz NOT NULL DEFAULT now())',
    );
    await runner.query('ALTER TABLE schema_migrations ADD COLUMN IF NOT EXISTS serves_since bigint');
    const present = await appliedMigrations(runner);
    const refusal = tooNew(present);
    if (refusal !== null) throw new SchemaError(refusal);
    const names = new Set(present.map(({ name }) => name));
    const applied: string[] = [];
    for (const { name, servesSince = null, up } of MIGRATIONS) {
      if (names.has(name)) continue;
      await runner.startTransaction();
      try {
        for (const statement of up) await runner.query(statement);
        await runner.query('INSERT INTO schema_migrations (name, serves_since) VALUES ($1, $2)', [name, servesSince]);
        await runner.commitTransaction();
      } catch (error) {
        await runner.rollbackTransaction();
        throw error;
      }
      applied.push(name);
    }
    return { applied };
  } finally {
    // the lock belongs to the session, which returns to the pool
    await runner.query('SELECT pg_advisory_unlock($1)', [LOCKS.migration]).catch(() => undefined);
    await runner.release();
  }
}

export async function schemaState(source: DataSource): Promise<SchemaState> {
  const exists: { found: boolean }[] = await source.query(`SELECT to_regclass('schema_migrations') IS NOT NULL AS found`);
  const present = exists[0]?.found ? await appliedMigrations(source) : [];
  const version = present.at(-1)?.name ?? null;
  if (version === null) return { version, serves: false, detail: 'The schema is missing: run the migration.' };
  const names = new Set(present.map(({ name }) => name));
  const missing = MIGRATIONS.filter(({ name }) => !names.has(name));
  const detail =
    missing.length > 0
      ? `The schema is at ${version} and lacks ${missing.map(({ name }) => name).join(', ')}: run the migration.`
      : (tooNew(present) ?? '');
  return { version, serves: detail === '', detail };
}

/** `to_jsonb` reads the column if it exists; a schema of an older program lacks it. */
async function appliedMigrations(from: Pick<DataSource | QueryRunner, 'query'>): Promise<AppliedMigration[]> {
  const rows = (await from.query(
    `SELECT name, to_jsonb(applied)->>'serves_since' AS since FROM schema_migrations applied ORDER BY applied_at, name`,
  )) as { name: string; since: string | null }[];
  return rows.map(({ name, since }) => ({ name, servesSince: since === null ? null : Number(since) }));
}

/** A sentence if a newer migration removed what this program needs; `null` if this program may run. */
function tooNew(present: readonly AppliedMigration[]): string | null {
  const own = Math.max(...MIGRATIONS.map(({ name }) => numberOf(name)));
  const breaking = present.filter(({ servesSince }) => servesSince !== null && servesSince > own).map(({ name }) => name);
  if (breaking.length === 0) return null;
  return `The database was migrated by a newer version of Autoposter (${breaking.join(', ')}) and no longer serves this one: start that version, or restore a backup.`;
}
