import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Where in a processed video its cover is. */
export class KeepCoverTimes1763750000250 implements MigrationInterface {
  /** Written out: a bundler may rename the class. */
  readonly name = 'KeepCoverTimes1763750000250';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE media_files ADD COLUMN cover_seconds real CHECK (cover_seconds >= 0)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE media_files DROP COLUMN cover_seconds`);
  }
}
