import { z } from 'zod';
import { STAGES } from '../stages/stages';
import { withPayload } from './envelope';

/**
 * Asks for one run of a stage. The row in `stage_jobs` is the truth; `turn` says which request of that job this message is (first
 * run, or a run that came due after waiting or a retry), so that a repeated or late message is told from a new one.
 */
export const stageRequestPayloadSchema = z.strictObject({
  stage: z.enum(STAGES),
  jobId: z.uuid(),
  turn: z.int().min(1),
});

export const stageRequestSchema = withPayload('stage.requested', stageRequestPayloadSchema);
export type StageRequest = z.infer<typeof stageRequestSchema>;

/** Copy of a dead job for those who read topics; the row is what a replay reads. */
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
