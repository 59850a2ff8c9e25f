import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * When and how often an attempt called `media_publish`, kept for good: an attempt that has called ends only by evidence from the account. An
 * attempt with an intent or an unknown outcome counts as called once. `absent_at`: when an administrator last reported the post as absent.
 */
export class KeepPublishCalls1763750000100 implements MigrationInterface {
  /** Written out: a bundler may rename the class. */
  readonly name = 'KeepPublishCalls1763750000100';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE publish_attempts
      ADD COLUMN called_at timestamptz(3), ADD COLUMN calls integer NOT NULL DEFAULT 0, ADD COLUMN absent_at timestamptz(3)`);
    await runner.query(`UPDATE publish_attempts SET called_at = coalesce(intent_at, created_at), calls = 1
      WHERE intent_at IS NOT NULL OR state IN ('intent', 'unknown', 'published')`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE publish_attempts
      DROP COLUMN IF EXISTS called_at, DROP COLUMN IF EXISTS calls, DROP COLUMN IF EXISTS absent_at`);
  }
}
