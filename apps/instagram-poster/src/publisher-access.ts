import { type Failure, failureOf, PipelineError, type Publisher } from '@autoposter/domain';

export interface PublisherTools {
  /** `null` while no Instagram account is configured. */
  publisher: Publisher | null;
}

/** The publish attempts of one account are no evidence for another. */
export const otherAccount = (accountId: string): Failure => failureOf('post_for_other_account', { fields: { accountId } });

export const instagramNotConfigured = (): PipelineError => PipelineError.of('instagram_not_configured');

/**
 * Whether the platform reports that a container does not exist: 100/33 and 24/2207006 do, and 24/2207008, which stands for missing, expired
 * or temporarily unreadable.
 */
export const saysMissing = (error: unknown): boolean =>
  error instanceof PipelineError && (error.failure.kind === 'not_found' || error.failure.detail?.['code'] === 24);
