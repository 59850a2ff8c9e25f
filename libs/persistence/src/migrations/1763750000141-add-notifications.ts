import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Messages to administrators wait in a table, written with what they report: a slow or broken receiver delays neither that nor other channels. */
export class AddNotifications1763750000141 implements MigrationInterface {
  /** Written out: a bundler may rename the class. */
  readonly name = 'AddNotifications1763750000141';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TABLE notifications (
      id uuid PRIMARY KEY,
      channel text NOT NULL,
      body jsonb NOT NULL,
      attempts integer NOT NULL DEFAULT 0,
      next_at timestamptz(3) NOT NULL DEFAULT now(),
      last_error text,
      created_at timestamptz(3) NOT NULL DEFAULT now(),
      sent_at timestamptz(3))`);
    await runner.query('CREATE INDEX notifications_due ON notifications (next_at, id) WHERE sent_at IS NULL');
    await runner.query('CREATE INDEX notifications_by_age ON notifications (created_at)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE IF EXISTS notifications');
  }
}
