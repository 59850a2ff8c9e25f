import type { MigrationInterface, QueryRunner } from 'typeorm';

/** How the media of a subreddit are brought to Instagram's ratios. */
export class LayOutMedia1763750000170 implements MigrationInterface {
  /** Written out: a bundler may rename the class. */
  readonly name = 'LayOutMedia1763750000170';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `ALTER TABLE subreddits ADD COLUMN media_layout text NOT NULL DEFAULT 'blur' CHECK (media_layout IN ('blur','pad','crop'))`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE subreddits DROP COLUMN media_layout`);
  }
}
