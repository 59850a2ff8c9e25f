import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Jobs of the stage that fingerprints the files of claimed works. */
export class AddRegisterStage1763750000161 implements MigrationInterface {
  /** Written out: a bundler may rename the class. */
  readonly name = 'AddRegisterStage1763750000161';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE stage_jobs DROP CONSTRAINT stage_jobs_stage_check,
      ADD CONSTRAINT stage_jobs_stage_check CHECK (stage IN ('collect','download','dmca','ai','post','reconcile','register'))`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DELETE FROM stage_jobs WHERE stage = 'register'`);
    await runner.query(`ALTER TABLE stage_jobs DROP CONSTRAINT stage_jobs_stage_check,
      ADD CONSTRAINT stage_jobs_stage_check CHECK (stage IN ('collect','download','dmca','ai','post','reconcile'))`);
  }
}
