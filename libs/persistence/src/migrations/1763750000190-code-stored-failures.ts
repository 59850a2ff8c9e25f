import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Gives failures that were stored before codes existed the code `stored_failure`, whose sentence is the one that they have. */
export class CodeStoredFailures1763750000190 implements MigrationInterface {
  /** Written out: a bundler may rename the class. */
  readonly name = 'CodeStoredFailures1763750000190';

  async up(runner: QueryRunner): Promise<void> {
    for (const table of TABLES)
      await runner.query(
        `UPDATE ${table} SET failure = failure || jsonb_build_object(
           'code', 'stored_failure', 'action', 'none', 'fields', jsonb_build_object('text', failure->'message'))
         WHERE jsonb_typeof(failure) = 'object' AND failure->'code' IS NULL`,
      );
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of TABLES)
      await runner.query(
        `UPDATE ${table} SET failure = failure - '{code,action,fields}'::text[] WHERE failure->>'code' = 'stored_failure'`,
      );
  }
}

const TABLES = ['stage_jobs', 'publish_attempts', 'queue_items', 'collect_runs', 'ai_providers'];
