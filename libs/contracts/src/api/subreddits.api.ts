import { z } from 'zod';
import { LIMITS } from '../limits';
import { DEFAULT_MEDIA_LAYOUT, MEDIA_LAYOUTS, TIME_PERIODS } from '../vocabulary';
import { AUTO_PROCESS_STAGES, DEFAULT_AUTO_PROCESS_STAGE, STAGE_FACTS } from '../stages/stages';
import { acknowledgedSchema, listOf, momentSchema, successOf } from './envelope.api';
import { defineRoutes, del, get, patch, post } from './route';

const { intervalMinutes, postsToFetch, minScore, maxAgeHours } = LIMITS.subreddit;

/** Reddit's rule for names, including two-letter names of countries (r/de). A pasted `r/` or address before the name is removed. */
export const subredditNameSchema = z
  .string()
  .trim()
  .transform((text) => text.replace(/^(?:https?:\/\/)?(?:(?:www|old|new)\.)?(?:reddit\.com)?\/?(?:r\/)?/iu, '').replace(/\/[^]*$/u, ''))
  .pipe(
    z
      .string()
      .min(1, { error: 'Please enter the name of a subreddit', abort: true })
      .regex(/^[A-Za-z0-9][A-Za-z0-9_]{1,20}$/u, 'A subreddit name has 2 to 21 letters, digits or underscores'),
  );

const filterFields = {
  minScore: z.int().min(minScore.min),
  maxAge: z.int().min(maxAgeHours.min).max(maxAgeHours.max),
  allowNSFW: z.boolean(),
  allowVideos: z.boolean(),
  allowImages: z.boolean(),
  allowGalleries: z.boolean(),
  excludeStickied: z.boolean(),
};

/** `maxAge` in hours. */
const subredditFiltersSchema = z.object(filterFields);
export type SubredditFilters = z.infer<typeof subredditFiltersSchema>;

export const DEFAULT_SUBREDDIT_FILTERS: SubredditFilters = {
  minScore: minScore.default,
  maxAge: maxAgeHours.default,
  allowNSFW: true,
  allowVideos: true,
  allowImages: false,
  allowGalleries: false,
  excludeStickied: true,
};

const withDefaults = z.strictObject({
  minScore: filterFields.minScore.default(DEFAULT_SUBREDDIT_FILTERS.minScore),
  maxAge: filterFields.maxAge.default(DEFAULT_SUBREDDIT_FILTERS.maxAge),
  allowNSFW: filterFields.allowNSFW.default(DEFAULT_SUBREDDIT_FILTERS.allowNSFW),
  allowVideos: filterFields.allowVideos.default(DEFAULT_SUBREDDIT_FILTERS.allowVideos),
  allowImages: filterFields.allowImages.default(DEFAULT_SUBREDDIT_FILTERS.allowImages),
  allowGalleries: filterFields.allowGalleries.default(DEFAULT_SUBREDDIT_FILTERS.allowGalleries),
  excludeStickied: filterFields.excludeStickied.default(DEFAULT_SUBREDDIT_FILTERS.excludeStickied),
});

const configFields = {
  /** Minutes between two runs. */
  interval: z.int().min(intervalMinutes.min).max(intervalMinutes.max),
  postsToFetch: z.int().min(postsToFetch.min).max(postsToFetch.max),
  timePeriod: z.enum(TIME_PERIODS),
  autoProcessStage: z.enum(AUTO_PROCESS_STAGES),
  mediaLayout: z.enum(MEDIA_LAYOUTS),
  /** Posts without a permission of their author wait before the queue. */
  needsPermission: z.boolean(),
};

export const createSubredditBodySchema = z.strictObject({
  name: subredditNameSchema,
  interval: configFields.interval.default(intervalMinutes.default),
  postsToFetch: configFields.postsToFetch.default(postsToFetch.default),
  timePeriod: configFields.timePeriod.default('day'),
  autoProcessStage: configFields.autoProcessStage.default(DEFAULT_AUTO_PROCESS_STAGE),
  mediaLayout: configFields.mediaLayout.default(DEFAULT_MEDIA_LAYOUT),
  needsPermission: configFields.needsPermission.default(false),
  filters: withDefaults.default(DEFAULT_SUBREDDIT_FILTERS),
});
export type CreateSubredditBody = z.infer<typeof createSubredditBodySchema>;

export const subredditSchema = z.object({
  _id: z.uuid(),
  name: z.string(),
  config: z.object({ isActive: z.boolean(), ...configFields, filters: subredditFiltersSchema }),
  scheduling: z.object({ isRunning: z.boolean(), nextRun: momentSchema.nullable() }),
  stats: z.object({ totalRuns: z.int().min(0), successfulRuns: z.int().min(0), totalPostsScraped: z.int().min(0) }),
  /** The running or latest run. */
  lastRun: z
    .object({
      state: z.string(),
      listed: z.int().nullable(),
      accepted: z.int().nullable(),
      skipped: z.int().nullable(),
      error: z.string().nullable(),
      startedAt: momentSchema,
      finishedAt: momentSchema.nullable(),
    })
    .nullable()
    .optional(),
});
export type Subreddit = z.infer<typeof subredditSchema>;

const subredditSchedulerStatusSchema = z.object({
  isRunning: z.boolean(),
  activeJobs: z.object({ count: z.int().min(0) }),
  /** Why no run starts although the scheduler is on; `null` while Reddit answers. */
  idle: z.object({ reason: z.string(), nextAction: z.string(), since: momentSchema }).nullable().optional(),
});
export type SubredditSchedulerStatus = z.infer<typeof subredditSchedulerStatusSchema>;

const autoProcessStageOptionSchema = z.object({
  value: z.enum(AUTO_PROCESS_STAGES),
  label: z.string(),
  description: z.string(),
});
type AutoProcessStageOption = z.infer<typeof autoProcessStageOptionSchema>;

/** The options that the server supplies. */
export const AUTO_PROCESS_STAGE_OPTIONS: readonly AutoProcessStageOption[] = STAGE_FACTS.autoProcessOptions;

/** Without `isActive` the state flips. */
export const toggleSubredditBodySchema = z.strictObject({ isActive: z.boolean().optional() });
export type ToggleSubredditBody = z.infer<typeof toggleSubredditBodySchema>;

export const changeAutoProcessStageBodySchema = z.strictObject({ autoProcessStage: configFields.autoProcessStage });
export type ChangeAutoProcessStageBody = z.infer<typeof changeAutoProcessStageBodySchema>;

export const needsPermissionBodySchema = z.strictObject({ needsPermission: configFields.needsPermission });
export type NeedsPermissionBody = z.infer<typeof needsPermissionBodySchema>;

const subreddit = { response: successOf(subredditSchema) };
const status = { response: successOf(subredditSchedulerStatusSchema) };
const base = '/api/subreddits';

/** Fixed paths stand before `/:id`. */
export const subredditsRoutes = defineRoutes({
  list: get(base, 'All subreddits', { response: listOf(subredditSchema) }),
  create: post(base, 'Adds a subreddit', { ...subreddit, body: createSubredditBodySchema }),
  autoProcessStages: get(`${base}/auto-process-stages`, 'The settings for automatic processing', {
    response: successOf(z.array(autoProcessStageOptionSchema)),
  }),
  schedulerStatus: get(`${base}/scheduler/status`, 'Whether the scheduler starts runs', status),
  schedulerStart: post(`${base}/scheduler/start`, 'Starts the scheduler', status),
  schedulerStop: post(`${base}/scheduler/stop`, 'Stops runs from starting', status),
  toggle: post(`${base}/:id/toggle`, 'Enables or disables', { ...subreddit, body: toggleSubredditBodySchema }),
  remove: del(`${base}/:id`, 'Removes a subreddit', { response: acknowledgedSchema }),
  runNow: post(`${base}/:id/run-now`, 'Starts a run at once', { response: successOf(z.object({ runId: z.uuid() })) }),
  changeNeedsPermission: patch(`${base}/:id/needs-permission`, 'Sets whether its posts wait for a permission', {
    ...subreddit,
    body: needsPermissionBodySchema,
  }),
  changeStage: patch(`${base}/:id/auto-process-stage`, 'Changes where its posts stop', {
    ...subreddit,
    body: changeAutoProcessStageBodySchema,
  }),
});
