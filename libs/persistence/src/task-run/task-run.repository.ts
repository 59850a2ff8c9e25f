import { Column, Entity, PrimaryColumn } from 'typeorm';
import { INTEGER, JSON_VALUE, TEXT, TEXT_OR_NULL, TIME_OR_NULL } from '../database/columns';
import { SqlRepository } from '../database/sql-repository';

/** A finished run of a task; `startedAt` on the database clock, in ISO 8601. */
interface EndedTaskRun {
  startedAt: string;
  durationMs: number;
  ok: boolean;
}

/** Statistics of a scheduler task. */
@Entity('task_runs')
export class TaskRun {
  @PrimaryColumn(TEXT) id!: string;
  @Column(INTEGER) runCount!: number;
  @Column(INTEGER) errorCount!: number;
  @Column(TIME_OR_NULL) lastRunAt!: Date | null;
  @Column(TIME_OR_NULL) lastErrorAt!: Date | null;
  @Column(TEXT_OR_NULL) lastError!: string | null;
  /** The last twenty finished runs, newest first; runs that died with their process are missing. */
  @Column(JSON_VALUE) recentRuns!: EndedTaskRun[];
}

/** Number of finished runs that are kept per task. */
const RECENT_RUNS = 20;

export class TaskRepository extends SqlRepository<TaskRun> {
  protected readonly entity = TaskRun;

  /**
   * Counts a run that starts now. Returns `false` if one started in the last `apartSeconds`, in any process. A start in the future was recorded
   * before the database clock was set back.
   */
  async claim(id: string, apartSeconds: number): Promise<boolean> {
    const { count } = await this.run(
      `INSERT INTO task_runs AS t (id, run_count, last_run_at) VALUES ($1, 1, now())
       ON CONFLICT (id) DO UPDATE SET run_count = t.run_count + 1, last_run_at = now()
       WHERE t.last_run_at IS NULL OR t.last_run_at <= now() - make_interval(secs => $2) OR t.last_run_at > now() + interval '1 minute'
       RETURNING 1`,
      [id, apartSeconds],
    );
    return count > 0;
  }

  /** Records the end of the claimed run, with the error message if it failed. */
  async end(id: string, durationMs: number, error: string | null = null): Promise<void> {
    await this.run(
      `UPDATE task_runs SET
         error_count = error_count + CASE WHEN $3::text IS NULL THEN 0 ELSE 1 END,
         last_error_at = CASE WHEN $3::text IS NULL THEN last_error_at ELSE now() END,
         last_error = coalesce($3::text, last_error),
         recent_runs = jsonb_path_query_array(
           jsonb_build_array(jsonb_build_object(
             'startedAt', to_char((now() - make_interval(secs => $2::float8 / 1000)) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
             'durationMs', round($2::float8)::bigint,
             'ok', $3::text IS NULL)) || recent_runs,
           '$[0 to ${RECENT_RUNS - 1}]')
       WHERE id = $1`,
      [id, durationMs, error],
    );
  }

  list(): Promise<TaskRun[]> {
    return this.rows('SELECT * FROM task_runs ORDER BY id');
  }
}
