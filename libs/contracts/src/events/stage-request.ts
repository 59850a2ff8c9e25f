import { z } from 'zod';
import { STAGES } from '../stages/stages';
import { withPayload } from './envelope';

/**
 * Requests one run of a stage. The row in `stage_jobs` is the truth; `turn`, elsewhere `requestNumber`, says which request of that job this
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
