import { defineStage } from '@autoposter/job-engine';
import { retrieveCommit } from './retrieve.commit';
import { fetchWorks, type RetrieveInput } from './steps/fetch-works.step';

/** Fetches the files of a claimed work from the addresses that its claimant gave, so that they are fingerprinted. */
export const retrieveStage = defineStage({
  name: 'retrieve',
  limits: { timeoutMs: 20 * 60_000, slots: 1 },
  async load(uow, job): Promise<RetrieveInput | null> {
    const claim = (await uow.rights.findClaim(job.subjectId))?.claim;
    const work = claim?.work;
    if (claim === undefined || claim.status === 'withdrawn' || work?.state !== 'requested') return null;
    return { claimId: claim.id, work };
  },
  steps: [fetchWorks],
  commit: retrieveCommit,
});
