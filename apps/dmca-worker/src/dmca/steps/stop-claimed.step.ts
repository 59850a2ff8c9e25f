import { defineStep, done, skip } from '@autoposter/job-engine';
import { type ClaimLookup, findClaimNaming } from '@autoposter/workflow';
import type { DmcaInput } from './read-original.step';

/** A post that a claim names by address, author or subreddit, whatever its files show; one retried after the claim comes here. */
export const stopClaimed = defineStep<DmcaInput, DmcaInput, { claims: ClaimLookup }>({
  name: 'stop-claimed',
  effect: 'read',
  async run(input, { claims }) {
    const claim = await findClaimNaming(claims, input.item);
    return claim === null ? done(input) : skip('dmca_failure', claim.message);
  },
});
