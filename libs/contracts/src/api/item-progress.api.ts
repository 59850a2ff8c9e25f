import { z } from 'zod';
import { AUTO_PROCESS_STAGES, ITEM_STAGES } from '../stages/stages';
import { momentSchema } from './envelope.api';

export const processingErrorSchema = z.object({
  stage: z.string(),
  message: z.string(),
  timestamp: momentSchema,
  nextAction: z.string().nullable().optional(),
  kind: z.string().optional(),
  /** The stage at which Retry starts if it is not the failed one, because the output of that stage is damaged. */
  resumeFrom: z.enum(ITEM_STAGES).optional(),
});
export type ProcessingError = z.infer<typeof processingErrorSchema>;

/**
 * Progress of an item, in addition to the fields of its list: the inner state, the stage that failed, what a person has to review,
 * and until when a stage waits. All of it is optional on the wire.
 */
export const itemProgressFields = {
  state: z.string().max(40).optional(),
  failedStage: z.enum(ITEM_STAGES).nullable().optional(),
  autoProcessStage: z.enum(AUTO_PROCESS_STAGES).optional(),
  needsReview: z.boolean().optional(),
  reviewReasons: z.array(z.string()).optional(),
  /** Waits for a permission of the author: a person has to ask for one. */
  needsPermission: z.boolean().optional(),
  /** `code` and `side` name the failure that the item waits for, where it is one. */
  waiting: z
    .object({
      until: momentSchema.nullable(),
      reason: z.string(),
      code: z.string().nullable().optional(),
      side: z.string().nullable().optional(),
    })
    .nullable()
    .optional(),
  nextAction: z.string().nullable().optional(),
  /** A regeneration that failed: the post keeps its earlier caption. */
  lastError: processingErrorSchema.nullable().optional(),
  /** Address on this origin, signed for about an hour and the same for that hour. */
  posterUrl: z.string().nullable().optional(),
  videoUrl: z.string().nullable().optional(),
  /** Since when the post is known to be gone from its source; its files were deleted here then. */
  sourceRemovedAt: momentSchema.nullable().optional(),
  updatedAt: momentSchema.optional(),
};
