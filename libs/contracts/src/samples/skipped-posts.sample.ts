import type { SkippedPost, SkipReasonOption, SkipStatistic } from '../api/skipped-posts.api';
import { SAMPLE_ID, SAMPLE_TIME } from './item.sample';

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
