import type { AutoProcessStage, SubredditFilters, TimePeriod } from '@autoposter/contracts';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import { BOOLEAN, ID, INTEGER, JSON_VALUE, TEXT, TIME, TIME_OR_NULL } from '../database/columns';

/** A subreddit to collect from, with its filters and its schedule. */
@Entity('subreddits')
export class Subreddit {
  @PrimaryColumn(ID) id!: string;
  @Column(TEXT) name!: string;
  @Column(BOOLEAN) isActive!: boolean;
  @Column(INTEGER) intervalMinutes!: number;
  @Column(INTEGER) postsToFetch!: number;
  @Column(TEXT) timePeriod!: TimePeriod;
  @Column(TEXT) autoProcessStage!: AutoProcessStage;
  @Column(JSON_VALUE) filters!: SubredditFilters;
  @Column(TIME_OR_NULL) nextRunAt!: Date | null;
  @Column(INTEGER) totalRuns!: number;
  @Column(INTEGER) successfulRuns!: number;
  @Column(INTEGER) totalPostsScraped!: number;
  @Column(TIME) createdAt!: Date;
}
