import type { AutoProcessStage, MediaLayout, SubredditFilters, TimePeriod } from '@autoposter/contracts';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { BOOLEAN, ID, INTEGER, JSON_VALUE, TEXT, TIME, TIME_OR_NULL } from '../database/columns';
import { IdRepository } from '../database/sql-repository';

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
  @Column(TEXT) mediaLayout!: MediaLayout;
  /** Posts without a permission of their author wait. */
  @Column(BOOLEAN) needsPermission!: boolean;
  @Column(JSON_VALUE) filters!: SubredditFilters;
  @Column(TIME_OR_NULL) nextRunAt!: Date | null;
  @Column(INTEGER) totalRuns!: number;
  @Column(INTEGER) successfulRuns!: number;
  @Column(INTEGER) totalPostsScraped!: number;
  @Column(TIME) createdAt!: Date;
}

export type NewSubreddit = Omit<
  Subreddit,
  'id' | 'createdAt' | 'totalRuns' | 'successfulRuns' | 'totalPostsScraped' | 'isActive' | 'nextRunAt' | 'mediaLayout' | 'needsPermission'
> &
  Partial<Subreddit>;

export class SubredditRepository extends IdRepository<Subreddit> {
  protected readonly entity = Subreddit;

  /** Returns `null` if the name is taken, ignoring case. */
  create(subreddit: NewSubreddit): Promise<Subreddit | null> {
    return this.insert({ id: uuidv7(), ...subreddit }, 'ON CONFLICT (lower(name)) DO NOTHING');
  }

  list(): Promise<Subreddit[]> {
    return this.rows('SELECT * FROM subreddits ORDER BY lower(name)');
  }

  patch(id: string, values: Partial<Omit<Subreddit, 'id'>>): Promise<Subreddit | null> {
    const set = this.assignments(values, 2);
    return this.row(`UPDATE subreddits SET ${set.text} WHERE id = $1 RETURNING *`, [id, ...set.parameters]);
  }

  async delete(id: string): Promise<boolean> {
    return this.affectsRow('DELETE FROM subreddits WHERE id = $1', [id]);
  }

  /** Active subreddits whose run is due, locked; skips those that another scheduler holds. */
  lockDue(limit: number): Promise<Subreddit[]> {
    return this.rows(
      `SELECT * FROM subreddits WHERE is_active AND (next_run_at IS NULL OR next_run_at <= now()) ORDER BY next_run_at NULLS FIRST, id
       LIMIT $1 FOR UPDATE SKIP LOCKED`,
      [limit],
    );
  }

  /** Counts a finished run. */
  async countRun(id: string, run: { succeeded: boolean; posts: number }): Promise<void> {
    await this.run(
      `UPDATE subreddits SET total_runs = total_runs + 1, successful_runs = successful_runs + $2, total_posts_scraped = total_posts_scraped + $3 WHERE id = $1`,
      [id, run.succeeded ? 1 : 0, run.posts],
    );
  }
}
