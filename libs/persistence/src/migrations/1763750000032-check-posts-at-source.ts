import type { MigrationInterface, QueryRunner } from 'typeorm';

/** When a post was last looked for at its source, and since when it is known to be gone there. */
export class CheckPostsAtSource1763750000032 implements MigrationInterface {
  /** Written out: a bundler may rename the class. */
  readonly name = 'CheckPostsAtSource1763750000032';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `ALTER TABLE content_items ADD COLUMN source_checked_at timestamptz(3), ADD COLUMN source_removed_at timestamptz(3)`,
    );
    await runner.query(
      `CREATE INDEX content_items_by_source_check ON content_items (state, source_checked_at NULLS FIRST, id)
       WHERE platform = 'reddit' AND source_removed_at IS NULL AND state NOT IN ('accepted','downloading','deleted')`,
    );
    await runner.query(
      `CREATE INDEX content_items_source_removed ON content_items (source_removed_at) WHERE source_removed_at IS NOT NULL`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX content_items_source_removed`);
    await runner.query(`DROP INDEX content_items_by_source_check`);
    await runner.query(`ALTER TABLE content_items DROP COLUMN source_checked_at, DROP COLUMN source_removed_at`);
  }
}
