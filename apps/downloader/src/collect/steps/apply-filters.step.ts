import { refusalOf, type Refusal, type SourcePost } from '@autoposter/domain';
import { defineStep, done } from '@autoposter/job-engine';
import type { Unclaimed } from './drop-claimed.step';

export interface Collected {
  listed: number;
  accepted: SourcePost[];
  /** Items whose download failed because Reddit denied access. */
  interrupted: string[];
  skipped: { post: SourcePost; refusal: Refusal }[];
}

const REMOVED_BEFORE: Refusal = { reason: 'duplicate_post', info: 'Collected before and removed by a person.' };

export const applyFilters = defineStep<Unclaimed, Collected>({
  name: 'apply-filters',
  effect: 'pure',
  run({ listed, posts, claimed, removedBefore, interrupted, subreddit }, _tools, { now }) {
    const collected: Collected = { listed, accepted: [], interrupted, skipped: [] };
    for (const post of posts) {
      const refusal = refusalOf(post, subreddit.filters, now);
      if (refusal === null) collected.accepted.push(post);
      else collected.skipped.push({ post, refusal });
    }
    for (const { post, claim } of claimed) collected.skipped.push({ post, refusal: { reason: 'dmca_failure', info: claim.message } });
    for (const post of removedBefore) collected.skipped.push({ post, refusal: REMOVED_BEFORE });
    return Promise.resolve(done(collected));
  },
});
