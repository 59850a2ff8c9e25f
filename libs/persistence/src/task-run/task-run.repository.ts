import type { EntityManager } from 'typeorm';
import { RowStore } from '../database/row-store';
import { TaskRun } from './task-run.entity';

export class TaskRepository extends RowStore<TaskRun> {
  constructor(manager: EntityManager) {
    super(manager, TaskRun);
  }

  /** Counts a run that begins now, for one caller only: `false` where one began after `notSince`, here or in another process. */
  async claim(id: string, notSince: Date): Promise<boolean> {
    const { count } = await this.run(
      `INSERT INTO task_runs AS t (id, run_count, last_run_at) VALUES ($1, 1, now())
       ON CONFLICT (id) DO UPDATE SET run_count = t.run_count + 1, last_run_at = now()
       WHERE t.last_run_at IS NULL OR t.last_run_at <= $2
       RETURNING 1`,
      [id, notSince],
    );
    return count > 0;
  }

  /** What went wrong with the run that was claimed. */
  async fail(id: string, words: string): Promise<void> {
    await this.run('UPDATE task_runs SET error_count = error_count + 1, last_error_at = now(), last_error = $2 WHERE id = $1', [id, words]);
  }

  list(): Promise<TaskRun[]> {
    return this.rows('SELECT * FROM task_runs ORDER BY id');
  }
}
