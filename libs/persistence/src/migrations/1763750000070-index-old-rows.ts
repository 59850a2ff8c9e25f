import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The newest run of a subreddit and the failed runs are found in an index, and so is everything that retention removes. Building an index
 * holds back writes to its table, not reads.
 */
export class IndexOldRows1763750000070 implements MigrationInterface {
  /** Written out: a bundler may rename the class. */
  readonly name = 'IndexOldRows1763750000070';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const index of ['stage_jobs_closed', 'collect_runs_newest', 'collect_runs_failed', 'collect_runs_by_age'])
      await runner.query(`DROP INDEX ${index}`);
    for (const index of ['quarantined_messages_newest', 'stage_runs_by_age', 'fingerprints_unusable', 'revoked_sessions_by_end'])
      await runner.query(`DROP INDEX ${index}`);
  }
}

const UP = [
  `CREATE INDEX stage_jobs_closed ON stage_jobs (finished_at) WHERE state IN ('done','cancelled')`,
  `CREATE INDEX collect_runs_newest ON collect_runs (subreddit_id, created_at DESC, id DESC)`,
  `CREATE INDEX collect_runs_failed ON collect_runs (finished_at) WHERE state = 'failed'`,
  `CREATE INDEX collect_runs_by_age ON collect_runs (created_at)`,
  `CREATE INDEX quarantined_messages_newest ON quarantined_messages (received_at DESC, id DESC)`,
  `CREATE INDEX stage_runs_by_age ON stage_runs (started_at)`,
  `CREATE INDEX revoked_sessions_by_end ON revoked_sessions (expires_at)`,
  // Below quality 50 a picture matches nothing.
  `CREATE INDEX fingerprints_unusable ON fingerprints (owner_id) WHERE owner_kind = 'item' AND sha256 IS NULL AND pdq_quality < 50`,
];
