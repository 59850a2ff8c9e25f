import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Posts that wait for the platform's copyright check, and who published them without its result. */
export class KeepRightsChecks1763750000221 implements MigrationInterface {
  /** Written out: a bundler may rename the class. */
  readonly name = 'KeepRightsChecks1763750000221';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE publish_attempts ADD COLUMN rights_check jsonb');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE publish_attempts DROP COLUMN rights_check');
  }
}
