import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A post that waits for its slot keeps the trace that it was queued in. */
export class TraceTheQueue1763750000071 implements MigrationInterface {
  /** Written out: a bundler may rename the class. */
  readonly name = 'TraceTheQueue1763750000071';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE queue_items ADD COLUMN traceparent text');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE queue_items DROP COLUMN traceparent');
  }
}
