import type { Failure } from '@autoposter/domain';
import type { PublishAttempt, UnitOfWork } from '@autoposter/persistence';
import { requestStage, type StageCommit } from '@autoposter/stage-runner';
import { settleFailed, settlePublished } from '../post/settle-attempt';
import type { ReconcileInput } from './steps/look-at-container.step';
import type { Settlement } from './steps/settle.step';

const failureOf = (message: string, nextAction: string): Failure => ({ kind: 'unknown_outcome', message, side: 'instagram', nextAction });

export const reconcileCommit: StageCommit<ReconcileInput, Settlement> = {
  async waiting(uow, { attempt }, until) {
    await uow.attempts.patch(attempt.id, { looks: attempt.looks + 1, nextLookAt: until });
  },

  async done(uow, { attempt }, settlement, job) {
    const now = await uow.attempts.findForUpdate(attempt.id);
    if (now?.state !== 'unknown') return;
    switch (settlement.kind) {
      case 'published': {
        const { id, permalink, mediaType, timestamp } = settlement.media;
        await settlePublished(uow, now, { mediaId: id, permalink, mediaType, publishedAt: new Date(timestamp) }, 'reconcile');
        tell(uow, now, 'post.completed', 'posted', null, job.correlationId);
        return;
      }
      case 'publish-again':
        await uow.attempts.transition(now.id, { fromVersion: now.version, from: 'unknown', to: 'container', patch: { intentAt: null } });
        await requestStage(uow, {
          stage: 'post',
          subjectId: now.id,
          itemId: now.itemId,
          key: now.accountId,
          correlationId: job.correlationId,
          actor: 'instagram-poster',
        });
        return;
      case 'not-published':
        await settleFailed(uow, now, failureOf(settlement.message, 'Queue the post again.'));
        tell(uow, now, 'post.failed', 'ready', settlement.message, job.correlationId);
        return;
      case 'ask-a-person':
        await askAPerson(uow, now, settlement.message, job.correlationId);
    }
  },

  skipped() {
    throw new Error('no step of reconcile leaves a post out');
  },

  /** Looking itself failed for good (token, outage): the outcome stays unknown and a person is asked. */
  async failed(uow, { attempt }, failure, _step, job) {
    const now = await uow.attempts.findForUpdate(attempt.id);
    if (now?.state === 'unknown') await askAPerson(uow, now, failure.message, job.correlationId);
  },
};

async function askAPerson(uow: UnitOfWork, attempt: PublishAttempt, message: string, correlationId: string): Promise<void> {
  await uow.attempts.patch(attempt.id, {
    failure: failureOf(message, 'Look at the account and say whether the post is there.'),
    nextLookAt: null,
  });
  tell(uow, attempt, 'post.unknown', 'posting', message, correlationId);
}

/** What the look meant for the post; that the look itself ended is told by the runner. */
function tell(
  uow: UnitOfWork,
  attempt: PublishAttempt,
  type: 'post.completed' | 'post.failed' | 'post.unknown',
  state: string,
  reason: string | null,
  correlationId: string,
): void {
  const { id: subjectId, itemId } = attempt;
  uow.history.append({ type, subjectId, itemId, stage: 'post', state, reason, correlationId, actor: 'instagram-poster' });
}
