import { Column, Entity, PrimaryColumn } from 'typeorm';
import { TEXT, TIME } from '../database/columns';

/** A run of one stage over all files that were ready for it. Its files are the jobs that have its id as their correlation. */
@Entity('stage_runs')
export class StageRun {
  @PrimaryColumn({ type: 'uuid' })
  id!: string;

  @Column(TEXT)
  stage!: 'dmca' | 'ai';

  @Column(TEXT)
  startedBy!: string;

  @Column(TIME)
  startedAt!: Date;
}
