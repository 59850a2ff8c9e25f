import type { Subreddit as SubredditView } from '@autoposter/contracts';
import type { CollectRun, Subreddit } from '@autoposter/persistence';

const OPEN: readonly string[] = ['requested', 'running'];

/** `run` is the newest one. */
export function presentSubreddit(subreddit: Subreddit, run: CollectRun | undefined): SubredditView {
  return {
    _id: subreddit.id,
    name: subreddit.name,
    config: {
      isActive: subreddit.isActive,
      interval: subreddit.intervalMinutes,
      postsToFetch: subreddit.postsToFetch,
      timePeriod: subreddit.timePeriod,
      autoProcessStage: subreddit.autoProcessStage,
      filters: subreddit.filters,
    },
    scheduling: { isRunning: run !== undefined && OPEN.includes(run.state), nextRun: subreddit.nextRunAt?.toISOString() ?? null },
    stats: {
      totalRuns: subreddit.totalRuns,
      successfulRuns: subreddit.successfulRuns,
      totalPostsScraped: subreddit.totalPostsScraped,
    },
    lastRun: run === undefined ? null : presentRun(run),
  };
}

const presentRun = (run: CollectRun): NonNullable<SubredditView['lastRun']> => ({
  state: run.state,
  listed: run.listed,
  accepted: run.accepted,
  skipped: run.skipped,
  error: run.failure?.message ?? null,
  startedAt: run.createdAt.toISOString(),
  finishedAt: run.finishedAt?.toISOString() ?? null,
});
