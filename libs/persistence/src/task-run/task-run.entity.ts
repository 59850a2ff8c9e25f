import { Column, Entity, PrimaryColumn } from 'typeorm';
import { INTEGER, TEXT_OR_NULL, TIME_OR_NULL } from '../database/columns';

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
}
