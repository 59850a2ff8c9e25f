import type { CreateSubredditBody, Subreddit, SubredditSchedulerStatus } from '../api/subreddits.api';
import { DEFAULT_SUBREDDIT_FILTERS } from '../api/subreddits.api';
import { LATER_SAMPLE_TIME, SAMPLE_ID, SAMPLE_TIME } from './item.sample';

export const createSubredditBodySample: CreateSubredditBody = {
  name: 'EarthPorn',
  interval: 60,
  postsToFetch: 100,
  timePeriod: 'day',
  autoProcessStage: 'dmcaProtection',
  filters: { ...DEFAULT_SUBREDDIT_FILTERS },
};

export const subredditSample: Subreddit = {
  _id: SAMPLE_ID,
  name: 'EarthPorn',
  config: {
    isActive: true,
    interval: 60,
    postsToFetch: 100,
    timePeriod: 'day',
    autoProcessStage: 'dmcaProtection',
    filters: { ...DEFAULT_SUBREDDIT_FILTERS },
  },
  scheduling: { isRunning: false, nextRun: LATER_SAMPLE_TIME },
  stats: { totalRuns: 24, successfulRuns: 23, totalPostsScraped: 310 },
  lastRun: { state: 'done', listed: 100, accepted: 12, skipped: 88, error: null, startedAt: SAMPLE_TIME, finishedAt: SAMPLE_TIME },
};

export const subredditSchedulerStatusSample: SubredditSchedulerStatus = { isRunning: true, activeJobs: { count: 2 }, idle: null };
export const changeAutoProcessStageBodySample = { autoProcessStage: 'queuePost' };
