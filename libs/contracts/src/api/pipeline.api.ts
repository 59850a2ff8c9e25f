import { z } from 'zod';
import { LIMITS } from '../limits';
import { ITEM_STAGES, STAGES } from '../stages/stages';
import { acceptedItemResponseSchema, momentSchema, pageOf, pageQuery, successOf } from './envelope.api';
import { defineRoutes, get, post } from './route';

/** One run that a worker holds right now. */
const runningJobSchema = z.object({
  jobId: z.uuid(),
  stage: z.enum(STAGES),
  itemId: z.uuid().nullable(),
  /** Of the post, or the subreddit of a collect run. */
  title: z.string().nullable(),
  attempt: z.int().min(1),
  startedAt: momentSchema,
});
export type RunningJob = z.infer<typeof runningJobSchema>;

/** A worker process. It is silent (`alive` false) when it has not reported for three of its heartbeats; then others take its runs over. */
const pipelineWorkerSchema = z.object({
  id: z.string(),
  alive: z.boolean(),
  aliveSince: momentSchema,
  lastSeenAt: momentSchema,
  workingOn: z.array(runningJobSchema),
});
export type PipelineWorker = z.infer<typeof pipelineWorkerSchema>;

/** Waiting jobs of one source: those that people wait for (`forPerson`), or the automatic ones of a subreddit; `source` is null without one. */
const waitingSourceSchema = z.object({ source: z.string().nullable(), forPerson: z.boolean(), waiting: z.int().min(1) });
export type WaitingSource = z.infer<typeof waitingSourceSchema>;

/**
 * Current state of a stage. Counts of jobs and messages end at 10,000 (`LIMITS.countedJobs`): a count that has reached it means that
 * many or more. `waitingBySource` has the five sources with the most of the next 1,000 waiting jobs, people first. `waiting` jobs are requested and not
 * claimed, `postponed` ones wait for a date (a quota, a rate limit, a container), `retrying` ones for a retry after a failure. `deadLetters` counts
 * dead jobs that were not replayed or resolved since. `lag` is published minus settled on the bus, work in flight included; null if the bus does
 * not answer.
 */
const pipelineStageSchema = z.object({
  stage: z.enum(STAGES),
  app: z.string(),
  waiting: z.int().min(0),
  running: z.int().min(0),
  postponed: z.int().min(0),
  retrying: z.int().min(0),
  deadLetters: z.int().min(0),
  lag: z.int().min(0).nullable(),
  oldestWaitingSeconds: z.int().min(0).nullable(),
  waitingBySource: z.array(waitingSourceSchema).optional(),
  workers: z.array(pipelineWorkerSchema),
  /** Why the stage does not work although its workers run, in one sentence. */
  notice: z.string().nullable().optional(),
});
export type PipelineStage = z.infer<typeof pipelineStageSchema>;

/** `outbox` is what waits for the relay to put it on the bus; `parked` of it was refused by the bus. */
export const pipelineSchema = z.object({
  stages: z.array(pipelineStageSchema),
  outbox: z.object({ waiting: z.int().min(0), parked: z.int().min(0).optional(), oldestSeconds: z.int().min(0).nullable() }),
  quarantined: z.int().min(0),
  measuredAt: momentSchema,
});
export type Pipeline = z.infer<typeof pipelineSchema>;

export const deadLettersQuerySchema = z.object({ stage: z.enum(STAGES).optional(), ...pageQuery(LIMITS.queue.pageSize) });
export type DeadLettersQuery = z.infer<typeof deadLettersQuerySchema>;

/** A dead job: its subject, its failure, and whether it can be replayed. */
const deadLetterEntrySchema = z.object({
  id: z.uuid(),
  stage: z.enum(STAGES),
  subject: z.object({ itemId: z.uuid().nullable(), title: z.string() }),
  kind: z.string(),
  message: z.string(),
  side: z.string(),
  nextAction: z.string(),
  attempts: z.int().min(0),
  diedAt: momentSchema,
  replayable: z.boolean(),
});
export type DeadLetterEntry = z.infer<typeof deadLetterEntrySchema>;
export const deadLettersResponseSchema = pageOf(deadLetterEntrySchema);

export const replayAllBodySchema = z.strictObject({ stage: z.enum(ITEM_STAGES) });
export type ReplayAllBody = z.infer<typeof replayAllBodySchema>;

/** `refused` were changed concurrently. One call takes at most `REPLAY_ALL_AT_MOST`, the oldest first. */
const replayedAllSchema = z.object({ replayed: z.int().min(0), refused: z.int().min(0), left: z.int().min(0) });
export type ReplayedAll = z.infer<typeof replayedAllSchema>;
export const REPLAY_ALL_AT_MOST = 200;

export const quarantineQuerySchema = z.object(pageQuery(LIMITS.queue.pageSize));
export type QuarantineQuery = z.infer<typeof quarantineQuerySchema>;

/** A message that could not be read, with its beginning. */
const quarantinedEntrySchema = z.object({
  id: z.uuid(),
  topic: z.string(),
  partition: z.int().nullable(),
  offset: z.string().nullable(),
  reason: z.string(),
  text: z.string(),
  receivedAt: momentSchema,
});
export type QuarantinedEntry = z.infer<typeof quarantinedEntrySchema>;

export const stagesRoutes = defineRoutes({
  now: get('/api/pipeline', 'Each stage with its work, its workers and its dead letters right now', {
    response: successOf(pipelineSchema),
  }),
  deadLetters: get('/api/pipeline/dead-letters', 'Unresolved dead letters', {
    query: deadLettersQuerySchema,
    response: deadLettersResponseSchema,
  }),
  replayAll: post('/api/pipeline/dead-letters/replay-all', 'Replays all dead letters of a stage', {
    body: replayAllBodySchema,
    response: successOf(replayedAllSchema),
  }),
  replay: post('/api/pipeline/dead-letters/:id/replay', 'Replays a dead letter; its finished steps stay finished', {
    response: acceptedItemResponseSchema,
  }),
  quarantine: get('/api/pipeline/quarantine', 'Messages that could not be read, with the reason', {
    query: quarantineQuerySchema,
    response: pageOf(quarantinedEntrySchema),
  }),
});
