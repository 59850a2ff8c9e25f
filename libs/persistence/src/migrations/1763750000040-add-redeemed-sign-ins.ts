import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Which sign-ins became a session, so that their token is taken once. */
export class AddRedeemedSignIns1763750000040 implements MigrationInterface {
  /** Written out: a bundler may rename the class. */
  readonly name = 'AddRedeemedSignIns1763750000040';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE TABLE redeemed_sign_ins (session_id uuid PRIMARY KEY, expires_at timestamptz NOT NULL)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE IF EXISTS redeemed_sign_ins');
  }
}
