import type { Failure } from '@autoposter/domain';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import { ID, INTEGER_OR_NULL, JSON_OR_NULL, TEXT, TIME, TIME_OR_NULL } from '../database/columns';

/** One run of collecting from a subreddit; at most one is open per subreddit. */
@Entity('collect_runs')
export class CollectRun {
  @PrimaryColumn(ID) id!: string;
  @Column(ID) subredditId!: string;
  @Column(TEXT) state!: 'requested' | 'running' | 'done' | 'failed';
  @Column({ ...TEXT, name: 'asked_by' }) requestedBy!: string;
  @Column(INTEGER_OR_NULL) listed!: number | null;
  @Column(INTEGER_OR_NULL) accepted!: number | null;
  @Column(INTEGER_OR_NULL) skipped!: number | null;
  @Column(JSON_OR_NULL) failure!: Failure | null;
  @Column(TIME) createdAt!: Date;
  @Column(TIME_OR_NULL) finishedAt!: Date | null;
}
