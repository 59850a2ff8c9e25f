import type { MigrationInterface, QueryRunner } from 'typeorm';

/** One request budget per provider for all processes, pauses of single sources, and jobs that a person waits for. */
export class ShareRequestBudgets1763750000030 implements MigrationInterface {
  /** Written out: a bundler may rename the class. */
  readonly name = 'ShareRequestBudgets1763750000030';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await runner.query(statement);
  }
}

const UP = [
  `CREATE TABLE provider_budgets (
    provider text PRIMARY KEY,
    total integer,
    remaining integer,
    window_ends_at timestamptz,
    probe_until timestamptz,
    blocked_until timestamptz,
    refusals integer NOT NULL DEFAULT 0
  )`,
  `CREATE TABLE provider_pauses (
    provider text NOT NULL,
    source text NOT NULL,
    refusals integer NOT NULL DEFAULT 1,
    paused_until timestamptz NOT NULL DEFAULT '-infinity',
    PRIMARY KEY (provider, source)
  )`,
  `ALTER TABLE stage_jobs ADD COLUMN for_person boolean NOT NULL DEFAULT false`,
  `CREATE INDEX stage_jobs_for_person ON stage_jobs (stage, requested_at) WHERE state = 'requested' AND for_person`,
];

const DOWN = [
  `DROP INDEX stage_jobs_for_person`,
  `ALTER TABLE stage_jobs DROP COLUMN for_person`,
  `DROP TABLE provider_pauses`,
  `DROP TABLE provider_budgets`,
];
