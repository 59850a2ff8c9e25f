import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Runs over all ready files have a name by which they can be cancelled, and tasks of the clock remember their last runs. */
export class RunsAndTasks1763745000000 implements MigrationInterface {
  /** Written out: a bundler may rename the class. */
  readonly name = 'RunsAndTasks1763745000000';

  async up(runner: QueryRunner): Promise<void> {
    // Its files are the jobs that have its id as their correlation.
    await runner.query(`CREATE TABLE stage_runs (
      id uuid PRIMARY KEY,
      stage text NOT NULL CHECK (stage IN ('dmca','ai')),
      started_by text NOT NULL,
      started_at timestamptz(3) NOT NULL DEFAULT now()
    )`);
    await runner.query(`ALTER TABLE task_runs ADD COLUMN recent_runs jsonb NOT NULL DEFAULT '[]'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE task_runs DROP COLUMN recent_runs');
    await runner.query('DROP TABLE stage_runs');
  }
}
