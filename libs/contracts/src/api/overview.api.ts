import { z } from 'zod';
import { LIMITS } from '../limits';
import { ITEM_STAGES, type ItemStage } from '../stages/stages';
import { PLATFORMS } from '../vocabulary';
import { acknowledgedSchema, momentSchema, successOf } from './envelope.api';
import { queueAccountQuerySchema } from './instagram.api';
import { defineRoutes, get, post } from './route';

/** Why no request goes to a provider now. `code` is a kind of failure; `until` is when the next request is made. */
const aiProblemSchema = z.object({
  id: z.string(),
  code: z.string(),
  message: z.string(),
  nextAction: z.string(),
  until: momentSchema.nullable(),
});
export type AiProblem = z.infer<typeof aiProblemSchema>;

/** A configured AI provider with its requests of its own day. */
const aiProviderSchema = z.object({
  provider: z.string(),
  name: z.string(),
  model: z.string(),
  used: z.int(),
  limit: z.int(),
  resetsAt: momentSchema,
  problem: aiProblemSchema.nullable(),
});
export type AiProviderStatus = z.infer<typeof aiProviderSchema>;

const stageCountsSchema = z.object({ waiting: z.int(), running: z.int(), failed: z.int() });

/** Items in each stage right now, and how many failed there. */
export const overviewSchema = z.object({
  stages: z.object({
    ...(Object.fromEntries(ITEM_STAGES.map((stage) => [stage, stageCountsSchema])) as Record<ItemStage, typeof stageCountsSchema>),
    ready: z.int(),
    queued: z.int(),
    posted: z.int(),
  }),
  /** Of the provider that has the fewest requests left; AI_DAILY_LIMIT holds for each of them. */
  aiQuota: z.object({ used: z.int(), limit: z.int().default(LIMITS.ai.requestsPerDay) }).nullable(),
  aiProviders: z.array(aiProviderSchema).optional(),
  unseenFailures: z.int().min(0),
  /** Whether publishing is paused on an account. */
  publishingPaused: z.boolean(),
  /** The accounts on which it is paused. */
  pausedAccounts: z.array(z.uuid()).optional(),
});
export type Overview = z.infer<typeof overviewSchema>;

/** An unseen failure. */
const failureEntrySchema = z.object({
  id: z.uuid(),
  kind: z.enum(['item', 'publish', 'collect', 'task', 'provider', 'bus']),
  title: z.string(),
  platform: z.enum(PLATFORMS).nullable(),
  stage: z.string().nullable(),
  /** Kind of the failure. */
  code: z.string().nullable().optional(),
  message: z.string(),
  nextAction: z.string().nullable(),
  occurredAt: momentSchema,
});
export type FailureEntry = z.infer<typeof failureEntrySchema>;

/** What the other system answered, for the details of a failure: status, codes, trace id, its words. */
export const failureDetailsSchema = z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]));

/** Failed posts of the queue that have the same cause: the same failure with the same codes of the platform. */
const failureCauseSchema = z.object({
  cause: z.string(),
  count: z.int().min(1),
  /** The newest of them. */
  title: z.string(),
  occurredAt: momentSchema,
  step: z.string(),
  message: z.string(),
  /** Whose system failed or who has to act. */
  side: z.string().nullable(),
  nextAction: z.string().nullable(),
  details: failureDetailsSchema.nullable(),
});
export type FailureCause = z.infer<typeof failureCauseSchema>;

export const retryFailuresBodySchema = z.strictObject({ cause: z.string().min(1).max(300) });
export type RetryFailuresBody = z.infer<typeof retryFailuresBodySchema>;

/** Without ids everything counts as seen. */
export const failuresSeenBodySchema = z.strictObject({ ids: z.array(z.uuid()).max(500).optional() });
export type FailuresSeenBody = z.infer<typeof failuresSeenBodySchema>;

export const overviewRoutes = defineRoutes({
  overview: get('/api/pipeline/overview', 'Items in each stage of the pipeline', { response: successOf(overviewSchema) }),
  failures: get('/api/failures', 'Unseen failures', {
    response: successOf(z.object({ unseen: z.int().min(0), failures: z.array(failureEntrySchema) })),
  }),
  failureCauses: get('/api/failures/causes', 'Failed posts of the queue, or of the queues of all accounts, grouped by cause', {
    query: queueAccountQuerySchema,
    response: successOf(z.object({ causes: z.array(failureCauseSchema) })),
  }),
  retryFailures: post('/api/failures/retry', 'Puts all failed posts with one cause, of one account or of all, back into the queue', {
    query: queueAccountQuerySchema,
    body: retryFailuresBodySchema,
    response: successOf(z.object({ retried: z.int().min(0), refused: z.int().min(0) })),
  }),
  failuresSeen: post('/api/failures/seen', 'Marks failures as seen', { body: failuresSeenBodySchema, response: acknowledgedSchema }),
});
