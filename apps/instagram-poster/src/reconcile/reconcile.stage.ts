import { defineStage } from '@autoposter/job-engine';
import { reconcileCommit } from './reconcile.commit';
import { checkContainer, type ReconcileInput } from './steps/check-container.step';
import { checkAccountMedia } from './steps/check-account-media.step';
import { resolveOutcome } from './steps/resolve-outcome.step';

/** Settles what nobody knows by looking at the account, never by posting. */
export const reconcileStage = defineStage({
  name: 'reconcile',
  limits: { timeoutMs: 2 * 60_000, slots: 2 },
  async load(uow, job): Promise<ReconcileInput | null> {
    const attempt = await uow.attempts.find(job.subjectId);
    return attempt?.state === 'unknown' ? { attempt } : null;
  },
  steps: [checkContainer, checkAccountMedia, resolveOutcome],
  commit: reconcileCommit,
});
