import { z } from 'zod';
import { LIMITS } from '../limits';
import { HOLD_CAUSES, MEDIA_TYPES, PAUSE_CAUSES, QUEUE_STATUSES, UNCHECKED_POLICIES } from '../vocabulary';
import { captionTextSchema } from './ai.api';
import { acknowledgedSchema, momentSchema, pageOf, pageQuery, successOf } from './envelope.api';
import { queueAccountQuerySchema } from './instagram.api';
import { failureDetailsSchema } from './overview.api';
import { POST_KINDS, publishOptionsSchema, setOptionsBodySchema } from './publish-options.api';
import { defineRoutes, del, get, post, put } from './route';
import { SORT_ORDERS } from './skipped-posts.api';

const { intervalMinutes, maxDelayMinutes, priority, backlogLimit, equalFailures } = LIMITS.queue;

export const QUEUE_SORTS = ['scheduling.scheduledFor', 'scheduling.queuedAt', 'priority', 'sourceData.subreddit'] as const;

/** Without `accountId`: the queues of all accounts. */
export const queueQuerySchema = z.object({
  ...queueAccountQuerySchema.shape,
  status: z.enum(QUEUE_STATUSES).optional(),
  ...pageQuery(LIMITS.queue.pageSize),
  sortBy: z.enum(QUEUE_SORTS).default('scheduling.scheduledFor'),
  sortOrder: z.enum(SORT_ORDERS).default('asc'),
});
export type QueueQuery = z.infer<typeof queueQuerySchema>;

export const queueItemSchema = z.object({
  _id: z.uuid(),
  status: z.enum(QUEUE_STATUSES),
  priority: z.int().min(priority.min).max(priority.max),
  sourceData: z.object({
    postTitle: z.string().nullable(),
    subreddit: z.string().nullable(),
    originalRedditUrl: z.string().nullable(),
  }),
  postData: z.object({ mediaType: z.enum(MEDIA_TYPES), caption: z.string().optional() }),
  scheduling: z.object({ queuedAt: momentSchema, scheduledFor: momentSchema.nullable(), pinned: z.boolean().optional() }),
  itemId: z.uuid().optional(),
  /** The account in whose queue it is. */
  accountId: z.uuid().optional(),
  posterUrl: z.string().nullable().optional(),
  kind: z.enum(POST_KINDS).optional(),
  options: publishOptionsSchema.optional(),
  /** Preview of the uploaded cover; `null` without one. */
  coverUrl: z.string().nullable().optional(),
  /** The platform's answer is not known; it is being looked up, never posted again blindly. With a `failure`, a person is asked. */
  outcome: z.enum(['unknown']).nullable().optional(),
  failure: z
    .object({
      message: z.string(),
      nextAction: z.string().nullable(),
      step: z.string().optional(),
      /** Whose system failed or who has to act. */
      side: z.string().nullable().optional(),
      details: failureDetailsSchema.nullable().optional(),
    })
    .nullable()
    .optional(),
  permalink: z.string().nullable().optional(),
  /** Whether it can still be removed: also while it is `posting`, until the irreversible call was sent. */
  removable: z.boolean().optional(),
  /** Instagram's API refused this post for good; a person can still publish it in the Instagram app. */
  finishInApp: z.boolean().optional(),
  /** What a post that is `posting` waits for, and until when; `null` while it is worked on. */
  waiting: z
    .object({
      /** `rights_checking`: for the result of Instagram's copyright check. */
      state: z.enum(['rights_checking']).nullable().optional(),
      reason: z.string(),
      until: momentSchema.nullable(),
      /** Whether a person decides: the check has no result. */
      held: z.boolean().optional(),
    })
    .nullable()
    .optional(),
});
export type QueueItem = z.infer<typeof queueItemSchema>;

/** `HH:MM`, 24 hours. */
const timeOfDaySchema = z.string().regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/u, 'must be a time of day such as 06:00');

/** An IANA name such as `Europe/Berlin`. */
export const timeZoneSchema = z
  .string()
  .max(64)
  .refine((zone) => {
    try {
      return new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone.length > 0;
    } catch {
      return false;
    }
  }, 'must be a time zone such as Europe/Berlin or UTC');

/**
 * Why the whole account publishes nothing for now, and what to do about it; without `until` a person has to act. `media_access`: Instagram
 * can get at no file of this installation.
 */
const queueHoldSchema = z.object({
  cause: z.enum([...PAUSE_CAUSES, ...HOLD_CAUSES, 'media_access']),
  reason: z.string(),
  nextAction: z.string().nullable(),
  until: momentSchema.nullable(),
});
export type QueueHold = z.infer<typeof queueHoldSchema>;

export const queueStatusSchema = z.object({
  isRunning: z.boolean(),
  intervalMinutes: z.int(),
  nextPost: z.object({ title: z.string(), scheduledFor: momentSchema.nullable() }).nullable(),
  totalInQueue: z.int().min(0),
  timeBlocking: z.object({
    enabled: z.boolean(),
    startTime: timeOfDaySchema,
    endTime: timeOfDaySchema,
    timeZone: z.string().optional(),
  }),
  randomization: z.object({ enabled: z.boolean(), maxDelayMinutes: z.int() }),
  /** Publishing is paused when more posts than this missed their time. */
  backlogLimit: z.int().optional(),
  /** Publishing is paused after so many posts in a row that failed for the same reason. */
  equalFailures: z.int().optional(),
  /** What happens to a post with a video that Instagram's copyright check gave no result for. */
  uncheckedPosts: z.enum(UNCHECKED_POLICIES).optional(),
  paused: z.boolean().optional(),
  hold: queueHoldSchema.nullable().optional(),
});
export type QueueStatusView = z.infer<typeof queueStatusSchema>;

const queueStatisticsSchema = z.object({
  totalPosts: z.int().min(0),
  pendingPosts: z.int().min(0),
  completedPosts: z.int().min(0),
  failedPosts: z.int().min(0),
  averageQueueTimeHours: z.number().min(0),
});
export type QueueStatistics = z.infer<typeof queueStatisticsSchema>;

export const enqueueBodySchema = z.strictObject({
  customCaption: captionTextSchema.optional(),
  postImmediately: z.boolean().default(false),
  /** Without it, a post that is already queued keeps its options. */
  options: publishOptionsSchema.optional(),
  ...queueAccountQuerySchema.shape,
});
export type EnqueueBody = z.infer<typeof enqueueBodySchema>;

/** `replaces`: the stored values that the administrator has seen. If there are others by now, nothing is saved (409). */
const settingBody = <S extends z.ZodRawShape>(shape: S) =>
  z.strictObject({ ...shape, replaces: z.strictObject(shape).partial().optional() });

export const queueIntervalBodySchema = settingBody({ intervalMinutes: z.int().min(intervalMinutes.min).max(intervalMinutes.max) });
export type QueueIntervalBody = z.infer<typeof queueIntervalBodySchema>;

export const timeBlockingBodySchema = settingBody({
  enabled: z.boolean(),
  startTime: timeOfDaySchema,
  endTime: timeOfDaySchema,
  timeZone: timeZoneSchema.optional(),
});
export type TimeBlockingBody = z.infer<typeof timeBlockingBodySchema>;

export const randomizationBodySchema = settingBody({
  enabled: z.boolean(),
  maxDelayMinutes: z.int().min(maxDelayMinutes.min).max(maxDelayMinutes.max),
});
export type RandomizationBody = z.infer<typeof randomizationBodySchema>;

export const backlogLimitBodySchema = settingBody({ backlogLimit: z.int().min(backlogLimit.min).max(backlogLimit.max) });
export type BacklogLimitBody = z.infer<typeof backlogLimitBodySchema>;

export const equalFailuresBodySchema = settingBody({ equalFailures: z.int().min(equalFailures.min).max(equalFailures.max) });
export type EqualFailuresBody = z.infer<typeof equalFailuresBodySchema>;

export const uncheckedPostsBodySchema = settingBody({ uncheckedPosts: z.enum(UNCHECKED_POLICIES) });
export type UncheckedPostsBody = z.infer<typeof uncheckedPostsBodySchema>;

export const priorityBodySchema = z.strictObject({ priority: z.int().min(priority.min).max(priority.max) });
export type PriorityBody = z.infer<typeof priorityBodySchema>;

/** A time typed or dragged by a person is pinned; `null` lets the planner choose again. */
export const scheduleBodySchema = z.strictObject({ scheduledFor: momentSchema.nullable() });
export type ScheduleBody = z.infer<typeof scheduleBodySchema>;

const permalinkSchema = z
  .url({
    protocol: /^https$/u,
    hostname: /^(?:www\.)?instagram\.com$/u,
    error: 'must be an address of a post on https://www.instagram.com',
  })
  .max(500);

/** What a person saw on the account when reconciliation could not decide whether the post was published. */
export const settleBodySchema = z
  .strictObject({
    outcome: z.enum(['live', 'absent']),
    mediaId: z
      .string()
      .regex(/^\d{1,32}$/u, 'must be the digits of a media id')
      .optional(),
    permalink: permalinkSchema.optional(),
  })
  .refine((seen) => seen.outcome === 'live' || (seen.mediaId === undefined && seen.permalink === undefined), {
    message: 'A post that is not there has neither id nor address',
    path: ['outcome'],
  });
export type SettleBody = z.infer<typeof settleBodySchema>;

/** Everything that a person needs to publish a post in the Instagram app. `files` are in the order of the carousel. */
const inAppTaskSchema = z.object({
  caption: z.string(),
  files: z.array(z.object({ url: z.string(), fileName: z.string() })),
  /** Usernames to invite, without the at sign. A permission may require one of them. */
  collaborators: z.array(z.string()),
});

export const publishedInAppBodySchema = z.strictObject({ permalink: permalinkSchema.optional() });
export type PublishedInAppBody = z.infer<typeof publishedInAppBodySchema>;

export const previewQuerySchema = z.object({
  ...queueAccountQuerySchema.shape,
  count: z.coerce.number().int().min(1).max(100).default(10),
});
export type PreviewQuery = z.infer<typeof previewQuerySchema>;

/** One coming slot: of a post that waits, or (`queueItemId` null) free for the next one. */
const previewSlotSchema = z.object({
  scheduledFor: momentSchema,
  queueItemId: z.uuid().nullable(),
  itemId: z.uuid().nullable(),
  title: z.string().nullable(),
  priority: z.int().nullable(),
  pinned: z.boolean(),
  why: z.object({
    /** `kept`: assigned earlier and still valid. */
    basis: z.enum(['now', 'interval', 'pinned', 'kept']),
    /** Before random delay and blocked hours. */
    earliestAt: momentSchema,
    intervalMinutes: z.int(),
    /** 0 for a free slot: the delay is drawn for the post that takes it. */
    randomDelaySeconds: z.int().min(0),
    /** The delay by blocked hours. */
    blockedSeconds: z.int().min(0),
    text: z.string(),
  }),
});
export type PreviewSlot = z.infer<typeof previewSlotSchema>;

/** While the queue is stopped: the slots that it would give if it were started now. */
export const queuePreviewSchema = z.object({
  isRunning: z.boolean(),
  timeZone: z.string(),
  hold: queueHoldSchema.nullable(),
  slots: z.array(previewSlotSchema),
});
export type QueuePreview = z.infer<typeof queuePreviewSchema>;

const status = { query: queueAccountQuerySchema, response: successOf(queueStatusSchema) };
const item = { response: successOf(queueItemSchema) };
const base = '/api/instagram-queue';

/** Fixed paths stand before `/:id`. */
export const instagramQueueRoutes = defineRoutes({
  list: get(base, 'The queue', { query: queueQuerySchema, response: pageOf(queueItemSchema) }),
  status: get(`${base}/status`, 'State and settings of the queue', status),
  statistics: get(`${base}/statistics`, 'Numbers of the queue, or of the queues of all accounts', {
    query: queueAccountQuerySchema,
    response: successOf(queueStatisticsSchema),
  }),
  preview: get(`${base}/preview`, 'The next slots, and why each lies where it lies', {
    query: previewQuerySchema,
    response: successOf(queuePreviewSchema),
  }),
  start: post(`${base}/start`, 'Starts the queue', status),
  stop: post(`${base}/stop`, 'Stops the queue', status),
  setInterval: put(`${base}/interval`, 'Sets the interval', { ...status, body: queueIntervalBodySchema }),
  setTimeBlocking: put(`${base}/time-blocking`, 'Sets blocked hours', { ...status, body: timeBlockingBodySchema }),
  setRandomization: put(`${base}/randomization`, 'Sets the random delay', { ...status, body: randomizationBodySchema }),
  setBacklogLimit: put(`${base}/backlog-limit`, 'Sets how many posts may miss their time before publishing is paused', {
    ...status,
    body: backlogLimitBodySchema,
  }),
  setEqualFailures: put(`${base}/equal-failures`, 'Sets how many posts in a row may fail for the same reason before publishing is paused', {
    ...status,
    body: equalFailuresBodySchema,
  }),
  setUncheckedPosts: put(`${base}/unchecked-posts`, "Sets what happens to videos without a result of Instagram's copyright check", {
    ...status,
    body: uncheckedPostsBodySchema,
  }),
  enqueue: post(`${base}/:id`, 'Puts an item into the queue, or posts it at once', { ...item, body: enqueueBodySchema }),
  remove: del(`${base}/:id`, 'Takes a queue item out', { response: acknowledgedSchema }),
  setPriority: put(`${base}/:id/priority`, 'Sets the priority of a queue item', { ...item, body: priorityBodySchema }),
  setSchedule: put(`${base}/:id/schedule`, 'Pins a queue item to a time, or lets the planner choose', {
    ...item,
    body: scheduleBodySchema,
  }),
  setOptions: put(`${base}/:id/options`, 'Replaces the publish options of a waiting queue item', { ...item, body: setOptionsBodySchema }),
  setCover: put(`${base}/:id/cover`, 'Stores a JPEG picture as the cover of a waiting reel', {
    ...item,
    uploadBytes: LIMITS.publishOptions.coverBytes,
  }),
  removeCover: del(`${base}/:id/cover`, 'Removes the uploaded cover of a waiting reel', item),
  publishAnyway: post(
    `${base}/:id/publish-anyway`,
    "Publishes a post that is held because Instagram's copyright check has no result",
    item,
  ),
  retry: post(`${base}/:id/retry`, 'Puts a failed post back into its place in the queue', item),
  inAppTask: get(`${base}/:id/in-app`, 'What a person needs to publish a failed post in the Instagram app', {
    response: successOf(inAppTaskSchema),
  }),
  publishedInApp: post(`${base}/:id/in-app`, 'Records that a person published a failed post in the Instagram app', {
    ...item,
    body: publishedInAppBodySchema,
  }),
  settle: post(`${base}/:id/settle`, 'Records whether a post with an unknown result was published', { ...item, body: settleBodySchema }),
});
