import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Refused and revoked permissions are looked up for each post, too. */
export class IndexAnswers1763750000290 implements MigrationInterface {
  /** Written out: a bundler may rename the class. */
  readonly name = 'IndexAnswers1763750000290';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX IF EXISTS rights_permissions_by_key`);
    await runner.query(`CREATE INDEX rights_permissions_by_key ON rights_permissions (key, kind) WHERE status <> 'requested'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX IF EXISTS rights_permissions_by_key`);
    await runner.query(`CREATE INDEX rights_permissions_by_key ON rights_permissions (key, kind) WHERE status = 'granted'`);
  }
}
