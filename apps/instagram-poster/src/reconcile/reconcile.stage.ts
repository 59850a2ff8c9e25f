import { defineStage } from '@autoposter/job-engine';
import { reconcileCommit } from './reconcile.commit';
import { lookAtContainer, type ReconcileInput } from './steps/look-at-container.step';
import { lookAtMedia } from './steps/look-at-media.step';
import { settle } from './steps/settle.step';

/** Settles what nobody knows by looking at the account, never by posting. */
export const reconcileStage = defineStage({
  name: 'reconcile',
  limits: { timeoutMs: 2 * 60_000, slots: 2 },
  async load(uow, job): Promise<ReconcileInput | null> {
    const attempt = await uow.attempts.find(job.subjectId);
    return attempt?.state === 'unknown' ? { attempt } : null;
  },
  steps: [lookAtContainer, lookAtMedia, settle],
  commit: reconcileCommit,
});
