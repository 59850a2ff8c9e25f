import { Column, Entity, PrimaryColumn } from 'typeorm';
import { INTEGER, JSON_VALUE, TEXT_OR_NULL, TIME_OR_NULL } from '../database/columns';

/** One run of a task that ended; `startedAt` by the database clock, in ISO 8601. */
export interface EndedTaskRun {
  startedAt: string;
  durationMs: number;
  ok: boolean;
}

/** What a task of the clock did so far. */
@Entity('task_runs')
export class TaskRun {
  @PrimaryColumn({ type: 'text' })
  id!: string;

  @Column(INTEGER)
  runCount!: number;

  @Column(INTEGER)
  errorCount!: number;

  @Column(TIME_OR_NULL)
  lastRunAt!: Date | null;

  @Column(TIME_OR_NULL)
  lastErrorAt!: Date | null;

  @Column(TEXT_OR_NULL)
  lastError!: string | null;

  /** The last twenty that ended, newest first; one that was cut off with its process is not among them. */
  @Column(JSON_VALUE)
  recentRuns!: EndedTaskRun[];
}
