import type { DataSource, MigrationInterface, QueryRunner } from 'typeorm';
import { MIGRATIONS } from '../migrations/migrations';
import { LOCKS } from './advisory-locks';
import { SchemaError } from './schema-error';

interface Step {
  name: string;
  /** See `SchemaMigration`. */
  servesSince: number | null;
  migration: MigrationInterface;
}

interface AppliedMigration {
  name: string;
  servesSince: number | null;
}

export interface SchemaState {
  /** Name of the newest migration in the database; `null` in an empty one. */
  version: string | null;
  /** Whether this program works on the schema: it has all that the program needs, and nothing newer took anything of it away. */
  serves: boolean;
  /** Why not, as a sentence; empty where it serves. */
  detail: string;
}

const steps = (): Step[] =>
  MIGRATIONS.map((type) => new type()).map((migration) => ({
    name: migration.name,
    servesSince: migration.servesSince ?? null,
    migration,
  }));

/** The number at the end of a migration's name, which also is the version of a program whose newest migration it is. */
const numberOf = (name: string): number => Number(/(?<!\d)\d+$/u.exec(name)?.[0] ?? 0);

/**
 * Applies what is missing, each migration in a transaction together with its mark: killed in the middle, the next call goes on where
 * this one stopped. A second caller waits for the lock and then finds nothing to do.
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
    for (const { name, servesSince, migration } of steps()) {
      if (names.has(name)) continue;
      await runner.startTransaction();
      try {
        await migration.up(runner);
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
    // the lock belongs to the session, which goes back to the pool
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
  const missing = steps().filter(({ name }) => !names.has(name));
  const detail =
    missing.length > 0
      ? `The schema is at ${version} and lacks ${missing.map(({ name }) => name).join(', ')}: run the migration.`
      : (tooNew(present) ?? '');
  return { version, serves: detail === '', detail };
}

/** `to_jsonb` reads the column where it exists: a schema of an older program has none. */
async function appliedMigrations(from: Pick<DataSource | QueryRunner, 'query'>): Promise<AppliedMigration[]> {
  const rows = (await from.query(
    `SELECT name, to_jsonb(applied)->>'serves_since' AS since FROM schema_migrations applied ORDER BY applied_at, name`,
  )) as { name: string; since: string | null }[];
  return rows.map(({ name, since }) => ({ name, servesSince: since === null ? null : Number(since) }));
}

/** A sentence where a newer migration took away what this program needs; `null` where this program may run. */
function tooNew(present: readonly AppliedMigration[]): string | null {
  const own = Math.max(...steps().map(({ name }) => numberOf(name)));
  const breaking = present.filter(({ servesSince }) => servesSince !== null && servesSince > own).map(({ name }) => name);
  if (breaking.length === 0) return null;
  return `The database was migrated by a newer version of Autoposter (${breaking.join(', ')}) and no longer serves this one: start that version, or restore a backup.`;
}
