import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What is done about a post after its publication. */
export class CheckPublishedPosts1763750000222 implements MigrationInterface {
  /** Written out: a bundler may rename the class. */
  readonly name = 'CheckPublishedPosts1763750000222';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TABLE post_checks (
      attempt_id uuid NOT NULL REFERENCES publish_attempts (id) ON DELETE CASCADE,
      kind text NOT NULL CHECK (kind IN ('read_back','first_comment','insights_1h','insights_24h','insights_7d','copyright')),
      due_at timestamptz(3) NOT NULL,
      tries integer NOT NULL DEFAULT 0,
      calls integer NOT NULL DEFAULT 0,
      called_at timestamptz(3),
      done_at timestamptz(3),
      result jsonb NOT NULL DEFAULT '{}',
      failure jsonb,
      PRIMARY KEY (attempt_id, kind)
    )`);
    await runner.query('CREATE INDEX post_checks_due ON post_checks (due_at) WHERE done_at IS NULL');
    await runner.query(`CREATE INDEX post_checks_failed ON post_checks (done_at) WHERE failure IS NOT NULL`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE post_checks');
  }
}
