import { PipelineError, type Publisher } from '@autoposter/domain';

export interface PublisherTools {
  /** `null` while no Instagram account is configured. */
  publisher: Publisher | null;
}

export const instagramNotConfigured = (): PipelineError =>
  new PipelineError({
    kind: 'not_configured',
    message: 'Instagram is not configured.',
    side: 'operator',
    nextAction: 'Set INSTAGRAM_ACCESS_TOKEN and INSTAGRAM_BUSINESS_ACCOUNT_ID, then post again.',
  });
