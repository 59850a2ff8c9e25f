import type { PublishedMedia } from '@autoposter/domain';
import { defineStep, done } from '@autoposter/job-engine';
import { lastCallOf } from '@autoposter/workflow';
import { findOnAccount, type LinkedMedia } from '../../account/find-on-account';
import { instagramNotConfigured, type PublisherTools } from '../../publisher-access';
import type { ContainerChecked } from './check-container.step';

export interface AccountLedger extends LinkedMedia {
  /** Posts that went out from this account at or after `since`, by what the ledger knows. */
  countPublishedSince(accountId: string, since: Date): Promise<number>;
}

export interface MediaChecked extends ContainerChecked {
  /** Media that can be this post. */
  candidates: PublishedMedia[];
  /** Posts that the platform counts beyond those that we know of: one of them could be this one. */
  unexplainedPosts: number;
}

export const checkAccountMedia = defineStep<ContainerChecked, MediaChecked, PublisherTools & { linked: AccountLedger }>({
  name: 'check-account-media',
  effect: 'read',
  async run(input, { publisher, linked }) {
    if (publisher === null) throw instagramNotConfigured();
    const { attempt } = input;
    const candidates = await findOnAccount(attempt, publisher, linked);
    const { used } = await publisher.quota();
    const ours = await linked.countPublishedSince(attempt.accountId, lastCallOf(attempt) ?? attempt.createdAt);
    return done({ ...input, candidates, unexplainedPosts: used - (attempt.quotaUsedBefore ?? used) - ours });
  },
});
