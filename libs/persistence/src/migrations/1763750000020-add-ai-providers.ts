import type { MigrationInterface, QueryRunner } from 'typeorm';

/** One breaker per AI provider for all processes, and why a job waits as data. */
export class AddAiProviders1763750000020 implements MigrationInterface {
  /** Written out: a bundler may rename the class. */
  readonly name = 'AddAiProviders1763750000020';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await runner.query(statement);
  }
}

const UP = [
  `CREATE TABLE ai_providers (
    provider text PRIMARY KEY,
    model text NOT NULL,
    configuration text NOT NULL,
    daily_limit integer NOT NULL,
    failure jsonb,
    incident uuid,
    refused_at timestamptz,
    retry_at timestamptz,
    refusals integer NOT NULL DEFAULT 0,
    probe_job uuid,
    probe_until timestamptz
  )`,
  // nullable without a default: no table rewrite
  `ALTER TABLE stage_jobs ADD COLUMN wait_code text, ADD COLUMN wait_side text`,
];

const DOWN = [
  `ALTER TABLE stage_jobs DROP COLUMN IF EXISTS wait_code, DROP COLUMN IF EXISTS wait_side`,
  `DROP TABLE IF EXISTS ai_providers`,
];
