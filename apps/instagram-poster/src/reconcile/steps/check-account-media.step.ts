import type { PublishedMedia } from '@autoposter/domain';
import { defineStep, done } from '@autoposter/job-engine';
import { captionHash } from '@autoposter/workflow';
import { instagramNotConfigured, type PublisherTools } from '../../publisher-access';
import type { ContainerChecked } from './check-container.step';

export interface LinkedMedia {
  /** Of these media ids, those that already belong to another attempt. */
  findLinked(accountId: string, mediaIds: readonly string[]): Promise<Set<string>>;
  /** Posts that went out from this account at or after `since`, by what the ledger knows. */
  countPublishedSince(accountId: string, since: Date): Promise<number>;
}

export interface MediaChecked extends ContainerChecked {
  /** Media that can be this post: same caption, in the time window, not linked to another attempt. */
  candidates: PublishedMedia[];
  /** Posts that the platform counts beyond those that we know of: one of them could be this one. */
  unexplainedPosts: number;
}

/** Clocks differ: what came out a little before the attempt began by the platform's clock still counts. */
const CLOCK_SLACK_MS = 5 * 60_000;

export const checkAccountMedia = defineStep<ContainerChecked, MediaChecked, PublisherTools & { linked: LinkedMedia }>({
  name: 'check-account-media',
  effect: 'read',
  async run(input, { publisher, linked }) {
    if (publisher === null) throw instagramNotConfigured();
    const { attempt } = input;
    // Any call of this attempt may be the one that brought the post out, not only the last.
    const since = new Date(attempt.createdAt.getTime() - CLOCK_SLACK_MS);
    const recent = (await publisher.recentMedia(since)).filter((media) => Date.parse(media.timestamp) >= since.getTime());
    const taken = await linked.findLinked(
      attempt.accountId,
      recent.map((media) => media.id),
    );
    const candidates = recent.filter((media) => !taken.has(media.id) && captionHash(media.caption ?? '') === attempt.captionHash);
    const { used } = await publisher.quota();
    const ours = await linked.countPublishedSince(attempt.accountId, attempt.intentAt ?? attempt.createdAt);
    return done({ ...input, candidates, unexplainedPosts: used - (attempt.quotaUsedBefore ?? used) - ours });
  },
});
