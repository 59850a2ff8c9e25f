import type { AutoProcessStage, Subreddit, SubredditFilters, TimePeriod } from '@autoposter/contracts';
import type { Reads } from '../items/item-rows';

export interface SubredditRow {
  id: string;
  name: string;
  is_active: boolean;
  interval_minutes: number;
  posts_to_fetch: number;
  time_period: TimePeriod;
  auto_process_stage: AutoProcessStage;
  filters: SubredditFilters;
  next_run_at: Date | null;
  total_runs: number;
  successful_runs: number;
  total_posts_scraped: number;
  last_run: {
    state: string;
    listed: number | null;
    accepted: number | null;
    skipped: number | null;
    failure: { message?: string } | null;
    created_at: string;
    finished_at: string | null;
  } | null;
}

const SELECT = `
  SELECT s.*, (SELECT to_json(r) FROM (
    SELECT state, listed, accepted, skipped, failure, created_at, finished_at FROM collect_runs
    WHERE subreddit_id = s.id ORDER BY created_at DESC, id DESC LIMIT 1) r) AS last_run
  FROM subreddits s`;

export const allSubreddits = (reads: Reads): Promise<SubredditRow[]> => reads.query(`${SELECT} ORDER BY lower(s.name)`);

export async function subredditById(reads: Reads, id: string): Promise<SubredditRow | null> {
  const [row] = await reads.query<SubredditRow>(`${SELECT} WHERE s.id = $1`, [id]);
  return row ?? null;
}

const iso = (time: string): string => new Date(time).toISOString();
const OPEN: readonly string[] = ['requested', 'running'];

export function presentSubreddit(row: SubredditRow): Subreddit {
  const run = row.last_run;
  return {
    _id: row.id,
    name: row.name,
    config: {
      isActive: row.is_active,
      interval: row.interval_minutes,
      postsToFetch: row.posts_to_fetch,
      timePeriod: row.time_period,
      autoProcessStage: row.auto_process_stage,
      filters: row.filters,
    },
    scheduling: { isRunning: run !== null && OPEN.includes(run.state), nextRun: row.next_run_at?.toISOString() ?? null },
    stats: { totalRuns: row.total_runs, successfulRuns: row.successful_runs, totalPostsScraped: row.total_posts_scraped },
    lastRun: run && {
      state: run.state,
      listed: run.listed,
      accepted: run.accepted,
      skipped: run.skipped,
      error: run.failure?.message ?? null,
      startedAt: iso(run.created_at),
      finishedAt: run.finished_at === null ? null : iso(run.finished_at),
    },
  };
}
