import type { MigrationInterface, QueryRunner } from 'typeorm';

const STATES = "('open','container','intent','unknown','published','failed'";

/** An attempt to publish that a person took back before anything was sent. */
export class AbandonedAttempts1763741000000 implements MigrationInterface {
  readonly name = 'AbandonedAttempts1763741000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE publish_attempts DROP CONSTRAINT publish_attempts_state_check');
    await runner.query(`ALTER TABLE publish_attempts ADD CONSTRAINT publish_attempts_state_check CHECK (state IN ${STATES},'abandoned'))`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("UPDATE publish_attempts SET state = 'failed' WHERE state = 'abandoned'");
    await runner.query('ALTER TABLE publish_attempts DROP CONSTRAINT publish_attempts_state_check');
    await runner.query(`ALTER TABLE publish_attempts ADD CONSTRAINT publish_attempts_state_check CHECK (state IN ${STATES}))`);
  }
}
