import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A message that a topic refuses is parked: it is due again later, and the messages of other topics go before it. The relay asks for the due
 * messages of each topic apart, so that the backlog of one topic is not read for the others. Constant defaults rewrite no row.
 */
export class ParkOutboxMessages1763750000050 implements MigrationInterface {
  /** Written out: a bundler may rename the class. */
  readonly name = 'ParkOutboxMessages1763750000050';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await runner.query(statement);
  }
}

const UP = [
  // in full precision: a message of this moment is due at once
  `ALTER TABLE outbox
     ADD COLUMN due_at timestamptz NOT NULL DEFAULT now(),
     ADD COLUMN attempts integer NOT NULL DEFAULT 0,
     ADD COLUMN failure text`,
  `CREATE INDEX outbox_due ON outbox (topic, due_at, id) WHERE sent_at IS NULL`,
];

const DOWN = [
  `DROP INDEX IF EXISTS outbox_due`,
  `ALTER TABLE outbox DROP COLUMN IF EXISTS failure, DROP COLUMN IF EXISTS attempts, DROP COLUMN IF EXISTS due_at`,
];
