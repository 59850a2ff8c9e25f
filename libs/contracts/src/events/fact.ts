import { z } from 'zod';
import { STAGE_FACTS, STAGES, type StageFact } from '../stages/stages';
import { envelopeSchema } from './envelope';

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
