import { PipelineError } from '@autoposter/domain';

/** Kind of the failure that a call ends with, or words that no expectation matches. */
export async function failureKind(work: Promise<unknown>): Promise<string> {
  try {
    await work;
  } catch (error) {
    return error instanceof PipelineError ? error.failure.kind : `not a PipelineError: ${String(error)}`;
  }
  return 'no failure';
}
