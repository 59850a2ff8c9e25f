import { PipelineError, type Failure, type Publisher } from '@autoposter/domain';

export interface PublisherTools {
  /** `null` while no Instagram account is configured. */
  publisher: Publisher | null;
}

/** The ledger speaks of one account; nothing of it holds on another. */
export const otherAccount = (accountId: string): Failure => ({
  kind: 'conflict',
  message: `This post was meant for the Instagram account ${accountId}, which is not the one that is configured now.`,
  side: 'operator',
  nextAction: 'Queue it again for the present account, or configure the former one.',
});

export const instagramNotConfigured = (): PipelineError =>
  new PipelineError({
    kind: 'not_configured',
    message: 'Instagram is not configured.',
    side: 'operator',
    nextAction: 'Set INSTAGRAM_ACCESS_TOKEN and INSTAGRAM_BUSINESS_ACCOUNT_ID, then post again.',
  });
