import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * `answered_media_id`: the media id of an answer, written as soon as it arrives, also where the attempt belongs to another worker or has
 * ended by then. The index gives the planner the next waiting posts without reading the whole queue.
 */
export class KeepLateAnswers1763750000140 implements MigrationInterface {
  /** Written out: a bundler may rename the class. */
  readonly name = 'KeepLateAnswers1763750000140';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE publish_attempts ADD COLUMN answered_media_id text');
    await runner.query(`CREATE INDEX publish_attempts_unresolved_answers ON publish_attempts (id)
      WHERE answered_media_id IS NOT NULL AND state IN ('failed', 'abandoned')`);
    await runner.query(`CREATE INDEX publish_attempts_unidentified ON publish_attempts (account_id, caption_hash)
      WHERE media_id IS NULL AND state = 'published'`);
    await runner.query(`CREATE INDEX queue_items_next_pending ON queue_items (priority DESC, queued_at, id) WHERE status = 'pending'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX IF EXISTS queue_items_next_pending');
    await runner.query('DROP INDEX IF EXISTS publish_attempts_unidentified');
    await runner.query('DROP INDEX IF EXISTS publish_attempts_unresolved_answers');
    await runner.query('ALTER TABLE publish_attempts DROP COLUMN IF EXISTS answered_media_id');
  }
}
