import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What a change differed in, and the names that callers give to their calls. */
export class AuditAndIdempotency1763744000000 implements MigrationInterface {
  /** Written out: a bundler may rename the class. */
  readonly name = 'AuditAndIdempotency1763744000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await runner.query(statement);
  }
}

const UP = [
  `ALTER TABLE audit_log ADD COLUMN before jsonb, ADD COLUMN after jsonb, ADD COLUMN request_id text`,
  `CREATE INDEX audit_log_newest ON audit_log (at DESC, id DESC)`,
  `CREATE TABLE idempotent_calls (
    actor text NOT NULL,
    key text NOT NULL,
    fingerprint text NOT NULL,
    state text NOT NULL DEFAULT 'running' CHECK (state IN ('running', 'done')),
    answer jsonb,
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (actor, key)
  )`,
  `CREATE INDEX idempotent_calls_by_age ON idempotent_calls (created_at)`,
];

const DOWN = [
  `DROP TABLE IF EXISTS idempotent_calls`,
  `DROP INDEX IF EXISTS audit_log_newest`,
  `ALTER TABLE audit_log DROP COLUMN IF EXISTS before, DROP COLUMN IF EXISTS after, DROP COLUMN IF EXISTS request_id`,
];
