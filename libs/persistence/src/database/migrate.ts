import type { DataSource, MigrationInterface, QueryRunner } from 'typeorm';
import { MIGRATIONS } from '../migrations/migrations';
import { LOCKS } from './advisory-locks';
import { SchemaError } from './schema-error';

interface Step {
  name: string;
  migration: MigrationInterface;
}

const steps = (): Step[] => MIGRATIONS.map((type) => new type()).map((migration) => ({ name: migration.name, migration }));

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
    const present = await appliedNames(runner);
    refuseNewer(present);
    const applied: string[] = [];
    for (const { name, migration } of steps()) {
      if (present.includes(name)) continue;
      await runner.startTransaction();
      try {
        await migration.up(runner);
        await runner.query('INSERT INTO schema_migrations (name) VALUES ($1)', [name]);
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

export async function schemaVersion(source: DataSource): Promise<{ version: string | null; matches: boolean }> {
  const exists: { found: boolean }[] = await source.query(`SELECT to_regclass('schema_migrations') IS NOT NULL AS found`);
  if (!exists[0]?.found) return { version: null, matches: false };
  const rows: { name: string }[] = await source.query('SELECT name FROM schema_migrations ORDER BY applied_at, name');
  const names = rows.map((row) => row.name);
  const known = steps().map((step) => step.name);
  return { version: names.at(-1) ?? null, matches: names.length === known.length && known.every((name) => names.includes(name)) };
}

async function appliedNames(runner: QueryRunner): Promise<string[]> {
  const rows: { name: string }[] = await runner.query('SELECT name FROM schema_migrations ORDER BY applied_at, name');
  return rows.map((row) => row.name);
}

function refuseNewer(present: readonly string[]): void {
  const known = new Set(steps().map((step) => step.name));
  const unknown = present.filter((name) => !known.has(name));
  if (unknown.length > 0) {
    throw new SchemaError(
      `The database was migrated by a newer version of Autoposter (${unknown.join(', ')}): start that version, or restore a backup.`,
    );
  }
}
