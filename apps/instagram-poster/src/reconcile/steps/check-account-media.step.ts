import type { PublishedMedia, Publisher } from '@autoposter/domain';
import { defineStep, done } from '@autoposter/job-engine';
import type { PublishAttempt } from '@autoposter/persistence';
import { lastCallOf } from '@autoposter/workflow';
import { findOnAccount, type LinkedMedia } from '../../account/find-on-account';
import { instagramNotConfigured, saysMissing, type PublisherTools } from '../../publisher-access';
import type { ContainerChecked } from './check-container.step';

export interface AccountLedger extends LinkedMedia {
  /** Other posts whose media id is not known and that can own a candidate of this attempt. */
  countUnidentified(attempt: PublishAttempt): Promise<number>;
  /** Posts of this account that are recorded as published at or after `since`. */
  countPublishedSince(accountId: string, since: Date): Promise<number>;
  /** Stories of this account that are recorded as published in [from, until): the account no longer lists them. */
  countStoriesBetween(accountId: string, from: Date, until: Date): Promise<number>;
}

export interface MediaChecked extends ContainerChecked {
  /** Media that can be this post. */
  candidates: PublishedMedia[];
  /** Whether a candidate can belong to another post whose media id is not known: one with this caption, or another story of that time. */
  mayBeAnother: boolean;
  /** Posts that the platform counts beyond those that we know of: one of them could be this one. */
  unexplainedPosts: number;
}

export const checkAccountMedia = defineStep<ContainerChecked, MediaChecked, PublisherTools & { linked: AccountLedger }>({
  name: 'check-account-media',
  effect: 'read',
  async run(input, { publisher, linked }, { now }) {
    if (publisher === null) throw instagramNotConfigured();
    const { attempt } = input;
    if (attempt.answeredMediaId !== null) {
      const media = await answeredMedia(attempt, attempt.answeredMediaId, publisher);
      return done({ ...input, candidates: [media], mayBeAnother: false, unexplainedPosts: 0 });
    }
    const candidates = await findOnAccount(attempt, publisher, linked);
    const mayBeAnother = candidates.length > 0 && attempt.permalink === null && (await linked.countUnidentified(attempt)) > 0;
    return done({ ...input, candidates, mayBeAnother, unexplainedPosts: await countUnexplained(attempt, publisher, linked, now) });
  },
});

/** The media that an answer to a call of this attempt names. */
async function answeredMedia(attempt: PublishAttempt, id: string, publisher: Publisher): Promise<PublishedMedia> {
  const calledAt = lastCallOf(attempt) ?? attempt.createdAt;
  const permalink = await publisher.permalink(id).catch((error: unknown) => {
    // a story ends after a day
    if (attempt.kind === 'story' && saysMissing(error)) return null;
    throw error;
  });
  return { id, caption: attempt.caption, mediaType: 'UNKNOWN', productType: null, permalink, timestamp: calledAt.toISOString() };
}

/**
 * The difference of the account's quota since the last call, corrected by the posts that we know went out since then and by those that left
 * the rolling window meanwhile: without the latter, a post that ages out hides one that was published.
 */
async function countUnexplained(attempt: PublishAttempt, publisher: Publisher, linked: AccountLedger, now: Date): Promise<number> {
  const { used, windowSeconds } = await publisher.quota();
  const calledAt = lastCallOf(attempt) ?? attempt.createdAt;
  const ours = await linked.countPublishedSince(attempt.accountId, calledAt);
  const [from, until] = [calledAt, now].map((at) => at.getTime() - windowSeconds * 1000) as [number, number];
  const before = await publisher.recentMedia(new Date(from));
  const agedOut = before.map((media) => Date.parse(media.timestamp)).filter((at) => at >= from && at < until).length;
  const stories = await linked.countStoriesBetween(attempt.accountId, new Date(from), new Date(until));
  return used - ((attempt.quotaUsedBefore ?? used) - agedOut - stories) - ours;
}
