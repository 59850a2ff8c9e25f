import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What a post has beside caption and media; an attempt keeps those it was prepared with. */
export class AddPublishOptions1763750000220 implements MigrationInterface {
  /** Written out: a bundler may rename the class. */
  readonly name = 'AddPublishOptions1763750000220';

  async up(runner: QueryRunner): Promise<void> {
    for (const table of ['queue_items', 'publish_attempts']) {
      await runner.query(`ALTER TABLE ${table} ADD COLUMN options jsonb NOT NULL DEFAULT '{}'`);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ['queue_items', 'publish_attempts']) await runner.query(`ALTER TABLE ${table} DROP COLUMN options`);
  }
}
