import { filesOfWork } from '@autoposter/contracts';
import { defineStage } from '@autoposter/job-engine';
import { registerCommit } from './register.commit';
import { fingerprintWork, type RegisterInput } from './steps/fingerprint-work.step';
import { keepItemFrames } from './steps/keep-item-frames.step';

/** Fingerprints the files of a claimed work, and holds back the posts that show it. */
export const registerStage = defineStage({
  name: 'register',
  limits: { timeoutMs: 20 * 60_000, slots: 1 },
  async load(uow, job): Promise<RegisterInput | null> {
    const listed = await uow.rights.findClaim(job.subjectId);
    const work = listed?.claim.work;
    if (listed === null || work?.state !== 'stored') return null;
    const { id, title, scope } = listed.claim;
    return { claim: { id, title, scope }, work, files: filesOfWork(work) };
  },
  steps: [fingerprintWork, keepItemFrames],
  commit: registerCommit,
});
