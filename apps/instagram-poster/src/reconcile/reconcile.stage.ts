import { defineStage } from '@autoposter/job-engine';
import { reconcileCommit } from './reconcile.commit';
import { checkContainer, type ReconcileInput } from './steps/check-container.step';
import { checkAccountMedia } from './steps/check-account-media.step';
import { resolveOutcome } from './steps/resolve-outcome.step';

/** Resolves an unknown publish result by reading the account, never by publishing again, and finds the media of a post that a person confirmed. */
export const reconcileStage = defineStage({
  name: 'reconcile',
  limits: { timeoutMs: 2 * 60_000, slots: 2 },
  async load(uow, job): Promise<ReconcileInput | null> {
    const attempt = await uow.attempts.find(job.subjectId);
    const isUnidentified = attempt?.state === 'published' && attempt.mediaId === null;
    return attempt !== null && (attempt.state === 'unknown' || isUnidentified) ? { attempt } : null;
  },
  steps: [checkContainer, checkAccountMedia, resolveOutcome],
  commit: reconcileCommit,
});
