import { z } from 'zod';
import { LIMITS } from '../limits';
import { HOLD_CAUSES, MEDIA_TYPES, PAUSE_CAUSES, QUEUE_STATUSES } from '../vocabulary';
import { captionTextSchema } from './ai.api';
import { acknowledgedSchema, idParamsSchema, momentSchema, pageOf, pageQuery, successOf } from './envelope.api';
import { defineRoutes } from './route';
import { SORT_ORDERS } from './skipped-posts.api';

const { intervalMinutes, maxDelayMinutes, priority } = LIMITS.queue;

export const QUEUE_SORTS = ['scheduling.scheduledFor', 'scheduling.queuedAt', 'priority', 'sourceData.subreddit'] as const;

export const queueQuerySchema = z.object({
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
  posterUrl: z.string().nullable().optional(),
  /** The platform's answer is not known; it is being looked up, never posted again blindly. With a `failure`, a person is asked. */
  outcome: z.enum(['unknown']).nullable().optional(),
  failure: z.object({ message: z.string(), nextAction: z.string().nullable() }).nullable().optional(),
  permalink: z.string().nullable().optional(),
  /** Whether it can still be removed: also while it is `posting`, until the irreversible call was sent. */
  removable: z.boolean().optional(),
  /** What a post that is `posting` waits for, and until when; `null` while it is worked on. */
  waiting: z.object({ reason: z.string(), until: momentSchema.nullable() }).nullable().optional(),
});
export type QueueItem = z.infer<typeof queueItemSchema>;
export const queueResponseSchema = pageOf(queueItemSchema);

/** `HH:MM`, 24 hours. */
export const timeOfDaySchema = z.string().regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/u, 'must be a time of day such as 06:00');

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
export const queueHoldSchema = z.object({
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
  paused: z.boolean().optional(),
  hold: queueHoldSchema.nullable().optional(),
});
export type QueueStatusView = z.infer<typeof queueStatusSchema>;
export const queueStatusResponseSchema = successOf(queueStatusSchema);

export const queueStatisticsSchema = z.object({
  totalPosts: z.int().min(0),
  pendingPosts: z.int().min(0),
  completedPosts: z.int().min(0),
  failedPosts: z.int().min(0),
  averageQueueTimeHours: z.number().min(0),
});
export type QueueStatistics = z.infer<typeof queueStatisticsSchema>;
export const queueStatisticsResponseSchema = successOf(queueStatisticsSchema);

export const enqueueBodySchema = z.strictObject({
  customCaption: captionTextSchema.optional(),
  postImmediately: z.boolean().default(false),
});
export type EnqueueBody = z.infer<typeof enqueueBodySchema>;
export const queueItemResponseSchema = successOf(queueItemSchema);

export const queueIntervalBodySchema = z.strictObject({ intervalMinutes: z.int().min(intervalMinutes.min).max(intervalMinutes.max) });
export type QueueIntervalBody = z.infer<typeof queueIntervalBodySchema>;

export const timeBlockingBodySchema = z.strictObject({
  enabled: z.boolean(),
  startTime: timeOfDaySchema,
  endTime: timeOfDaySchema,
  timeZone: timeZoneSchema.optional(),
});
export type TimeBlockingBody = z.infer<typeof timeBlockingBodySchema>;

export const randomizationBodySchema = z.strictObject({
  enabled: z.boolean(),
  maxDelayMinutes: z.int().min(maxDelayMinutes.min).max(maxDelayMinutes.max),
});
export type RandomizationBody = z.infer<typeof randomizationBodySchema>;

export const priorityBodySchema = z.strictObject({ priority: z.int().min(priority.min).max(priority.max) });
export type PriorityBody = z.infer<typeof priorityBodySchema>;

/** A time typed or dragged by a person is pinned; `null` lets the planner choose again. */
export const scheduleBodySchema = z.strictObject({ scheduledFor: momentSchema.nullable() });
export type ScheduleBody = z.infer<typeof scheduleBodySchema>;

/** What a person saw on the account when reconciliation could not decide whether the post was published. */
export const settleBodySchema = z
  .strictObject({
    outcome: z.enum(['live', 'absent']),
    mediaId: z
      .string()
      .regex(/^\d{1,32}$/u, 'must be the digits of a media id')
      .optional(),
    permalink: z
      .url({
        protocol: /^https$/u,
        hostname: /^(?:www\.)?instagram\.com$/u,
        error: 'must be an address of a post on https://www.instagram.com',
      })
      .max(500)
      .optional(),
  })
  .refine((seen) => seen.outcome === 'live' || (seen.mediaId === undefined && seen.permalink === undefined), {
    message: 'A post that is not there has neither id nor address',
    path: ['outcome'],
  });
export type SettleBody = z.infer<typeof settleBodySchema>;

export const previewQuerySchema = z.object({ count: z.coerce.number().int().min(1).max(100).default(10) });
export type PreviewQuery = z.infer<typeof previewQuerySchema>;

/** One coming slot: of a post that waits, or (`queueItemId` null) free for the next one. */
export const previewSlotSchema = z.object({
  scheduledFor: momentSchema,
  queueItemId: z.uuid().nullable(),
  itemId: z.uuid().nullable(),
  title: z.string().nullable(),
  priority: z.int().nullable(),
  pinned: z.boolean(),
  why: z.object({
    /** `kept`: given earlier, and still fits. */
    basis: z.enum(['now', 'interval', 'pinned', 'kept']),
    /** Before random delay and blocked hours. */
    earliestAt: momentSchema,
    intervalMinutes: z.int(),
    /** 0 for a free slot: the delay is drawn for the post that takes it. */
    randomDelaySeconds: z.int().min(0),
    /** By how much blocked hours moved it. */
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
export const queuePreviewResponseSchema = successOf(queuePreviewSchema);

const status = { access: 'admin', response: queueStatusResponseSchema } as const;
const one = { access: 'admin', params: idParamsSchema } as const;
const base = '/api/instagram-queue';

/** Fixed paths stand before `/:id`. */
export const instagramQueueRoutes = defineRoutes({
  list: { access: 'admin', method: 'GET', path: base, summary: 'The queue', query: queueQuerySchema, response: queueResponseSchema },
  status: { ...status, method: 'GET', path: `${base}/status`, summary: 'State and settings of the queue' },
  statistics: {
    access: 'admin',
    method: 'GET',
    path: `${base}/statistics`,
    summary: 'Numbers of the queue',
    response: queueStatisticsResponseSchema,
  },
  preview: {
    access: 'admin',
    method: 'GET',
    path: `${base}/preview`,
    summary: 'The next slots, and why each lies where it lies',
    query: previewQuerySchema,
    response: queuePreviewResponseSchema,
  },
  start: { ...status, method: 'POST', path: `${base}/start`, summary: 'Starts the queue' },
  stop: { ...status, method: 'POST', path: `${base}/stop`, summary: 'Stops the queue' },
  setInterval: { ...status, method: 'PUT', path: `${base}/interval`, summary: 'Sets the interval', body: queueIntervalBodySchema },
  setTimeBlocking: { ...status, method: 'PUT', path: `${base}/time-blocking`, summary: 'Sets blocked hours', body: timeBlockingBodySchema },
  setRandomization: {
    ...status,
    method: 'PUT',
    path: `${base}/randomization`,
    summary: 'Sets the random delay',
    body: randomizationBodySchema,
  },
  enqueue: {
    ...one,
    method: 'POST',
    path: `${base}/:id`,
    summary: 'Puts an item into the queue, or posts it at once',
    body: enqueueBodySchema,
    response: queueItemResponseSchema,
  },
  remove: { ...one, method: 'DELETE', path: `${base}/:id`, summary: 'Takes a queue item out', response: acknowledgedSchema },
  setPriority: {
    ...one,
    method: 'PUT',
    path: `${base}/:id/priority`,
    summary: 'Sets the priority of a queue item',
    body: priorityBodySchema,
    response: queueItemResponseSchema,
  },
  setSchedule: {
    ...one,
    method: 'PUT',
    path: `${base}/:id/schedule`,
    summary: 'Pins a queue item to a time, or lets the planner choose',
    body: scheduleBodySchema,
    response: queueItemResponseSchema,
  },
  retry: {
    ...one,
    method: 'POST',
    path: `${base}/:id/retry`,
    summary: 'Puts a failed post back into its place in the queue',
    response: queueItemResponseSchema,
  },
  settle: {
    ...one,
    method: 'POST',
    path: `${base}/:id/settle`,
    summary: 'Records whether a post with an unknown result was published',
    body: settleBodySchema,
    response: queueItemResponseSchema,
  },
});
