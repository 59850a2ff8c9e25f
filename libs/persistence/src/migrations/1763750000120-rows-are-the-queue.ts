import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Workers claim jobs from their rows. The tables of the former bus stay for programs of the previous version, which may still run; what they
 * leave there is deleted by age, and a later migration drops them. No request is lost with them: each has its row here.
 */
export class RowsAreTheQueue1763750000120 implements MigrationInterface {
  /** Written out: a bundler may rename the class. */
  readonly name = 'RowsAreTheQueue1763750000120';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await runner.query(statement);
  }
}

const UP = [
  // in the order in which jobs are claimed
  `CREATE INDEX stage_jobs_next ON stage_jobs (stage, for_person DESC, requested_at, id) WHERE state = 'requested'`,
  `DROP INDEX stage_jobs_requested`,
  // without the time, so that a renewal changes no index
  `CREATE INDEX stage_jobs_running ON stage_jobs (stage) WHERE state = 'running'`,
  `DROP INDEX stage_jobs_expired`,
  // room beside a row for its next versions: journal entries and renewals then change no index
  `ALTER TABLE stage_jobs SET (fillfactor = 80)`,
  `CREATE INDEX bus_messages_oldest ON bus_messages (published_at)`,
];

const DOWN = [
  `DROP INDEX IF EXISTS bus_messages_oldest`,
  `ALTER TABLE stage_jobs RESET (fillfactor)`,
  `CREATE INDEX stage_jobs_expired ON stage_jobs (stage, lease_until) WHERE state = 'running'`,
  `DROP INDEX IF EXISTS stage_jobs_running`,
  `CREATE INDEX stage_jobs_requested ON stage_jobs (requested_at) WHERE state = 'requested'`,
  `DROP INDEX IF EXISTS stage_jobs_next`,
];
