import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Who works here right now: each worker process says so with its beat. */
export class AddWorkers1763742000000 implements MigrationInterface {
  /** Written out: a bundler may rename the class. */
  readonly name = 'AddWorkers1763742000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TABLE workers (
      id text PRIMARY KEY,
      stages text[] NOT NULL,
      since timestamptz(3) NOT NULL DEFAULT now(),
      seen_at timestamptz(3) NOT NULL DEFAULT now()
    )`);
    await runner.query(`CREATE INDEX quarantined_messages_by_time ON quarantined_messages (received_at DESC, id DESC)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX IF EXISTS quarantined_messages_by_time');
    await runner.query('DROP TABLE IF EXISTS workers');
  }
}
