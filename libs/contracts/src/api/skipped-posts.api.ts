import { z } from 'zod';
import { LIMITS } from '../limits';
import { SKIP_REASONS } from '../vocabulary';
import { daySchema, momentSchema, pageOf, pageQuery, successOf } from './envelope.api';
import { defineRoutes, get } from './route';

export const SKIPPED_SORTS = ['skippedAt', 'redditData.score', 'redditData.created', 'redditData.subreddit'] as const;
export const SORT_ORDERS = ['desc', 'asc'] as const;

/** Whole days, both ends included. */
const rangeFields = { subreddit: z.string().max(60).optional(), dateFrom: daySchema.optional(), dateTo: daySchema.optional() };

export const skippedPostsQuerySchema = z.object({
  ...rangeFields,
  skipReason: z.enum(SKIP_REASONS).optional(),
  ...pageQuery(LIMITS.skippedPosts.pageSize),
  sortBy: z.enum(SKIPPED_SORTS).default('skippedAt'),
  sortOrder: z.enum(SORT_ORDERS).default('desc'),
});
export type SkippedPostsQuery = z.infer<typeof skippedPostsQuerySchema>;

export const skipStatisticsQuerySchema = z.object(rangeFields);
export type SkipStatisticsQuery = z.infer<typeof skipStatisticsQuerySchema>;

export const skippedPostSchema = z.object({
  _id: z.uuid(),
  originalUrl: z.string(),
  skipReason: z.enum(SKIP_REASONS),
  skipDetails: z.object({ additionalInfo: z.string().nullable(), errorMessage: z.string().nullable() }),
  skippedAt: momentSchema,
  postAgeFormatted: z.string().nullable(),
  postAgeHours: z.number().nullable(),
  redditData: z.object({
    title: z.string().nullable(),
    author: z.string().nullable(),
    postType: z.string().nullable(),
    subreddit: z.string().nullable(),
    score: z.int().nullable(),
    created: momentSchema.nullable(),
  }),
  itemId: z.uuid().nullable().optional(),
});
export type SkippedPost = z.infer<typeof skippedPostSchema>;

const skipReasonOptionSchema = z.object({ value: z.enum(SKIP_REASONS), label: z.string() });
export type SkipReasonOption = z.infer<typeof skipReasonOptionSchema>;

/** `_id` and `reason` are the same. */
const skipStatisticSchema = z.object({ _id: z.string(), reason: z.string(), count: z.int().min(0) });
export type SkipStatistic = z.infer<typeof skipStatisticSchema>;

export const skippedPostsRoutes = defineRoutes({
  list: get('/api/skipped-posts', 'Posts that were left out, with the reason', {
    query: skippedPostsQuerySchema,
    response: pageOf(skippedPostSchema),
  }),
  subreddits: get('/api/skipped-posts/subreddits', 'Names of subreddits with skipped posts', { response: successOf(z.array(z.string())) }),
  reasons: get('/api/skipped-posts/reasons', 'All reasons with their labels', { response: successOf(z.array(skipReasonOptionSchema)) }),
  statistics: get('/api/skipped-posts/statistics', 'How many posts were left out for which reason', {
    query: skipStatisticsQuerySchema,
    response: successOf(z.array(skipStatisticSchema)),
  }),
});
