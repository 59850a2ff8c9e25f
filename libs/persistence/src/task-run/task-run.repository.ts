import type { EntityManager } from 'typeorm';
import { RowStore } from '../database/row-store';
import { TaskRun } from './task-run.entity';

export class TaskRepository extends RowStore<TaskRun> {
  constructor(manager: EntityManager) {
    super(manager, TaskRun);
  }

  /** Counts a run; `error` is what went wrong, `null` where nothing did. */
  async record(id: string, error: string | null): Promise<void> {
    await this.run(
      `INSERT INTO task_runs AS t (id, run_count, error_count, last_run_at, last_error_at, last_error)
       VALUES ($1, 1, CASE WHEN $2::text IS NULL THEN 0 ELSE 1 END, now(), CASE WHEN $2::text IS NULL THEN NULL ELSE now() END, $2)
       ON CONFLICT (id) DO UPDATE SET run_count = t.run_count + 1, error_count = t.error_count + excluded.error_count, last_run_at = now(),
         last_error_at = coalesce(excluded.last_error_at, t.last_error_at), last_error = coalesce(excluded.last_error, t.last_error)`,
      [id, error],
    );
  }

  list(): Promise<TaskRun[]> {
    return this.rows('SELECT * FROM task_runs ORDER BY id');
  }
}
