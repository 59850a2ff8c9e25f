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
        await settlePublished(
          uow,
          now,
          { mediaId: id, permalink, mediaType, publishedAt: new Date(timestamp) },
          'reconcile',
          job.correlationId,
        );
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
        await settleFailed(uow, now, failureOf(settlement.message, 'Queue the post again.'), job.correlationId);
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

async function askAPerson(
  ...[uow, attempt, message, correlationId]: [Parameters<typeof settleFailed>[0], Parameters<typeof settleFailed>[1], string, string]
) {
  await uow.attempts.patch(attempt.id, {
    failure: failureOf(message, 'Look at the account and say whether the post is there.'),
    nextLookAt: null,
  });
  uow.history.append({
    type: 'reconcile.failed',
    subjectId: attempt.id,
    itemId: attempt.itemId,
    stage: 'reconcile',
    state: 'unknown',
    reason: message,
    correlationId,
    actor: 'instagram-poster',
  });
}
