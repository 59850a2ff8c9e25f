import { z } from 'zod';
import { STAGES } from '../vocabulary';
import { envelopeSchema } from './envelope';

/** What can be reported. `<stage>.<past participle>`, plus what people and the clock do. */
export const FACT_TYPES = [
  'collect.requested',
  'collect.started',
  'collect.completed',
  'collect.failed',
  'download.requested',
  'download.started',
  'download.completed',
  'download.skipped',
  'download.failed',
  'dmca.requested',
  'dmca.started',
  'dmca.completed',
  'dmca.blocked',
  'dmca.failed',
  'ai.requested',
  'ai.started',
  'ai.completed',
  'ai.failed',
  'post.requested',
  'post.started',
  'post.completed',
  'post.failed',
  'post.unknown',
  'reconcile.requested',
  'reconcile.started',
  'reconcile.completed',
  'reconcile.failed',
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
export type FactType = (typeof FACT_TYPES)[number];

/** Something that happened, told after it was committed. `seq` is the replay id of the live stream. */
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
