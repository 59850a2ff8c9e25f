import type { ItemStage } from '@autoposter/contracts';
import { PipelineError, type FailureKind } from '@autoposter/domain';

/** What work on a file that is missing or damaged fails with. */
const DAMAGED: readonly FailureKind[] = ['corrupt_media', 'integrity', 'not_found'];

/**
 * Work on a file that the stage `madeBy` stored. Where the file itself is at fault, the same work fails on it again: the failure says that a
 * retry starts at the stage that makes it anew.
 */
export async function workOnInput<T>(madeBy: ItemStage, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof PipelineError) || !DAMAGED.includes(error.failure.kind)) throw error;
    throw new PipelineError({ ...error.failure, resumeFrom: madeBy }, { cause: error });
  }
}
