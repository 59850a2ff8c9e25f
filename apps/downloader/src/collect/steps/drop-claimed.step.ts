import type { Failure, SourcePost } from '@autoposter/domain';
import { defineStep, done } from '@autoposter/job-engine';
import { type ClaimLookup, findNamingClaims } from '@autoposter/workflow';
import type { Listed } from './drop-known.step';

export interface Unclaimed extends Listed {
  /** Posts that an active claim names by address, author or subreddit. */
  claimed: { post: SourcePost; claim: Failure }[];
}

/** Before the filters, so that the skipped log names the claim and not a filter of a post that would be stopped anyway. */
export const dropClaimed = defineStep<Listed, Unclaimed, { claims: ClaimLookup }>({
  name: 'drop-claimed',
  effect: 'read',
  async run(input, { claims }) {
    const found = await findNamingClaims(claims, input.posts);
    return done({
      ...input,
      posts: input.posts.filter((post) => !found.has(post)),
      claimed: [...found].map(([post, claim]) => ({ post, claim })),
    });
  },
});
