import type { SkipReasonOption, SkipStatistic, SkippedPost } from '../api/skipped-posts.api';
import { type CreateSubredditBody, DEFAULT_SUBREDDIT_FILTERS, type Subreddit, type SubredditSchedulerStatus } from '../api/subreddits.api';
import { LATER_SAMPLE_TIME, SAMPLE_ID, SAMPLE_TIME } from './items.sample';

export const createSubredditBodySample: CreateSubredditBody = {
  name: 'EarthPorn',
  interval: 60,
  postsToFetch: 100,
  timePeriod: 'day',
  autoProcessStage: 'dmcaProtection',
  mediaLayout: 'blur',
  needsPermission: false,
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
    mediaLayout: 'blur',
    needsPermission: false,
    filters: { ...DEFAULT_SUBREDDIT_FILTERS },
  },
  scheduling: { isRunning: false, nextRun: LATER_SAMPLE_TIME },
  stats: { totalRuns: 24, successfulRuns: 23, totalPostsScraped: 310 },
  lastRun: { state: 'done', listed: 100, accepted: 12, skipped: 88, error: null, startedAt: SAMPLE_TIME, finishedAt: SAMPLE_TIME },
};

export const subredditSchedulerStatusSample: SubredditSchedulerStatus = { isRunning: true, activeJobs: { count: 2 }, idle: null };
export const changeAutoProcessStageBodySample = { autoProcessStage: 'queuePost' };

export const skippedPostSample: SkippedPost = {
  _id: SAMPLE_ID,
  originalUrl: 'https://www.reddit.com/r/EarthPorn/comments/1abcdf/blurry_hill/',
  skipReason: 'min_score_filter',
  skipDetails: { additionalInfo: 'Score 0 is below 1', errorMessage: null },
  skippedAt: SAMPLE_TIME,
  postAgeFormatted: '3 hours',
  postAgeHours: 3.2,
  redditData: { title: 'Blurry hill', author: 'walker', postType: 'image', subreddit: 'EarthPorn', score: 0, created: SAMPLE_TIME },
};

export const skipReasonOptionSample: SkipReasonOption = { value: 'min_score_filter', label: 'Score too low' };
export const skipStatisticSample: SkipStatistic = { _id: 'min_score_filter', reason: 'min_score_filter', count: 42 };
export const skippedPostsQuerySample = { subreddit: 'EarthPorn', dateFrom: '2026-11-01', dateTo: '2026-11-21', page: '2' };
export const skipStatisticsQuerySample = { subreddit: 'EarthPorn', dateFrom: '2026-11-01' };
