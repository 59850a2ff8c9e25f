import { v7 as uuidv7 } from 'uuid';
import { SqlRepository } from '../database/sql-repository';
import { Subreddit } from './subreddit.entity';

export type NewSubreddit = Omit<
  Subreddit,
  'id' | 'createdAt' | 'totalRuns' | 'successfulRuns' | 'totalPostsScraped' | 'isActive' | 'nextRunAt'
> &
  Partial<Subreddit>;

export class SubredditRepository extends SqlRepository<Subreddit> {
  protected readonly entity = Subreddit;

  /** Returns `null` if the name is taken, ignoring case. */
  create(subreddit: NewSubreddit): Promise<Subreddit | null> {
    return this.insert({ id: uuidv7(), ...subreddit }, 'ON CONFLICT (lower(name)) DO NOTHING');
  }

  find(id: string): Promise<Subreddit | null> {
    return this.row('SELECT * FROM subreddits WHERE id = $1', [id]);
  }

  list(): Promise<Subreddit[]> {
    return this.rows('SELECT * FROM subreddits ORDER BY lower(name)');
  }

  patch(id: string, values: Partial<Omit<Subreddit, 'id'>>): Promise<Subreddit | null> {
    const set = this.assignments(values, 2);
    return this.row(`UPDATE subreddits SET ${set.text} WHERE id = $1 RETURNING *`, [id, ...set.parameters]);
  }

  async delete(id: string): Promise<boolean> {
    return (await this.run('DELETE FROM subreddits WHERE id = $1', [id])).count === 1;
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
