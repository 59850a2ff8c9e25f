import { PipelineError } from '@autoposter/domain';

/**
 * Whether the platform says that it does not have a container: 100/33 and 24/2207006 do, and 24/2207008, which stands for missing, expired
 * or not to be read for a moment.
 */
export const saysMissing = (error: unknown): boolean =>
  error instanceof PipelineError && (error.failure.kind === 'not_found' || error.failure.detail?.['code'] === 24);
