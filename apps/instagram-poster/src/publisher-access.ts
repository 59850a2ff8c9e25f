import { type Failure, failureOf, PipelineError, type Publisher } from '@autoposter/domain';

export interface PublisherTools {
  /** `null` while no Instagram account is configured. */
  publisher: Publisher | null;
}

/** The ledger speaks of one account; nothing of it holds on another. */
export const otherAccount = (accountId: string): Failure => failureOf('post_for_other_account', { fields: { accountId } });

export const instagramNotConfigured = (): PipelineError => PipelineError.of('instagram_not_configured');
