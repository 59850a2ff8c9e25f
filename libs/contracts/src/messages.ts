import { z } from 'zod';
import { STAGE_FACTS, type StageFact, STAGES } from './stages/stages';

/**
 * The frame of every message. `id` is the identity for deduplication, `subjectId` what the message is about (item, collect run
 * or publish attempt), `correlationId` the request that it goes back to, `causationId` the message that led to it. Payloads hold ids and
 * decisions, never rows, tokens or media; a whole message stays under 2 KB.
 */
const envelopeSchema = z.strictObject({
  id: z.uuid(),
  type: z.string().min(3).max(64),
  occurredAt: z.iso.datetime(),
  subjectId: z.uuid(),
  correlationId: z.uuid(),
  causationId: z.uuid().nullable(),
  traceparent: z.string().max(64).nullable(),
});

type EnvelopeFrame = z.infer<typeof envelopeSchema>;
export type Envelope<P = unknown> = EnvelopeFrame & { payload: P };

export const withPayload = <T extends string, P extends z.ZodType>(type: T, payload: P) =>
  envelopeSchema.extend({ type: z.literal(type), payload });

/**
 * Announces a requested job. The row in `stage_jobs` is the truth; `turn`, elsewhere `requestNumber`, says which request of that job this
 * message is (the first, or one after a wait, a retry or a replay), which tells a repeated or late message from a new one. The field keeps
 * its name because programs of two versions exchange it.
 */
const stageRequestPayloadSchema = z.strictObject({
  stage: z.enum(STAGES),
  jobId: z.uuid(),
  turn: z.int().min(1),
});

export const stageRequestSchema = withPayload('stage.requested', stageRequestPayloadSchema);
export type StageRequest = z.infer<typeof stageRequestSchema>;

/** Copy of a dead job for consumers of the topic; a replay reads the row of the job. */
export const deadLetterSchema = withPayload(
  'stage.dead',
  z.strictObject({
    stage: z.enum(STAGES),
    jobId: z.uuid(),
    attempts: z.int().min(0),
    kind: z.string().max(40),
    step: z.string().max(60).nullable(),
    message: z.string().max(500),
  }),
);
export type DeadLetter = z.infer<typeof deadLetterSchema>;

/** Facts that do not belong to one stage. */
const OTHER_FACT_TYPES = [
  'stage.waiting',
  'stage.retrying',
  'stage.cancelled',
  'item.queued',
  'item.unqueued',
  'item.discarded',
  'item.restored',
  'item.deleted',
  'item.edited',
  'queue.changed',
  'subreddit.changed',
  'scheduler.changed',
  'publishing.paused',
  'publishing.resumed',
  'data.cleared',
] as const;

/** `<stage>.<past participle>` for each stage, and the actions of administrators and the scheduler. */
export type FactType = StageFact | (typeof OTHER_FACT_TYPES)[number];
export const FACT_TYPES = [...(Object.keys(STAGE_FACTS.factLabels) as StageFact[]), ...OTHER_FACT_TYPES] as unknown as [
  FactType,
  ...FactType[],
];

/** An event, published after its transaction has committed. `seq` is the replay id of the live stream. */
export const factSchema = envelopeSchema.extend({
  type: z.enum(FACT_TYPES),
  payload: z.strictObject({
    seq: z.int().min(1).nullable(),
    itemId: z.uuid().nullable(),
    stage: z.enum(STAGES).nullable(),
    state: z.string().max(40).nullable(),
    reason: z.string().max(300).nullable(),
  }),
});
export type Fact = z.infer<typeof factSchema>;
