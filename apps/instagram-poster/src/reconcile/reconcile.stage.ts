import { defineStage } from '@autoposter/job-engine';
import { reconcileCommit } from './reconcile.commit';
import { checkContainer, type ReconcileInput } from './steps/check-container.step';
import { checkAccountMedia } from './steps/check-account-media.step';
import { resolveOutcome } from './steps/resolve-outcome.step';

/** Resolves an unknown publish result by reading the account, never by publishing again. */
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
