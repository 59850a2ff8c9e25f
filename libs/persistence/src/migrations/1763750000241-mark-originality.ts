import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What administrators say about the originality of posts. No reference to `content_items`: published posts count after they were cleared. */
export class MarkOriginality1763750000241 implements MigrationInterface {
  /** Written out: a bundler may rename the class. */
  readonly name = 'MarkOriginality1763750000241';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `CREATE TABLE originality_marks (
        item_id uuid PRIMARY KEY,
        kind text NOT NULL CHECK (kind IN ('original','edited')),
        marked_by text NOT NULL,
        marked_at timestamptz(3) NOT NULL DEFAULT now()
      )`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE IF EXISTS originality_marks`);
  }
}
