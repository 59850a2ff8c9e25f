import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Posts are told by their media as well as by their id, and skipped posts are found by the post that they are about. */
export class TellPostsByMedia1763750000031 implements MigrationInterface {
  /** Written out: a bundler may rename the class. */
  readonly name = 'TellPostsByMedia1763750000031';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE content_items ADD COLUMN source_key text`);
    // the keys have up to 2,000 characters: the index holds their hash
    await runner.query(`CREATE INDEX content_items_by_source_key ON content_items (md5(source_key)) WHERE source_key IS NOT NULL`);
    await runner.query(`CREATE INDEX skipped_posts_by_source ON skipped_posts (source_id)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX skipped_posts_by_source`);
    await runner.query(`DROP INDEX content_items_by_source_key`);
    await runner.query(`ALTER TABLE content_items DROP COLUMN source_key`);
  }
}
