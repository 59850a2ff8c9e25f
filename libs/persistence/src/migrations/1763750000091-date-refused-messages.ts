import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Since when the bus refuses a message: a failure that lasts is shown, one that is over after a restart of the bus is not. */
export class DateRefusedMessages1763750000091 implements MigrationInterface {
  /** Written out: a bundler may rename the class. */
  readonly name = 'DateRefusedMessages1763750000091';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE outbox ADD COLUMN refused_at timestamptz(3)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE outbox DROP COLUMN IF EXISTS refused_at`);
  }
}
