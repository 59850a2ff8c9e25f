import { defineStep, done, skip } from '@autoposter/job-engine';
import { type ClaimLookup, findClaimNaming } from '@autoposter/workflow';
import type { DmcaInput } from './read-original.step';

/** Stops a post that a claim names by address, author or subreddit. A post that is retried after the claim reaches this step. */
export const stopClaimed = defineStep<DmcaInput, DmcaInput, { claims: ClaimLookup }>({
  name: 'stop-claimed',
  effect: 'read',
  async run(input, { claims }) {
    const claim = await findClaimNaming(claims, input.item);
    return claim === null ? done(input) : skip('dmca_failure', claim.message);
  },
});
