import { PUBLISH_STAGE } from '@autoposter/contracts';
import { changeFailure, type Failure, failureOf, POSTED_AS, withAnswerOf } from '@autoposter/domain';
import type { PublishAttempt, UnitOfWork } from '@autoposter/persistence';
import { requestStage, type StageCommit } from '@autoposter/job-engine';
import { findCallRefusal, lastCallOf, transitionAttempt, settleUnpublished, settlePublished } from '@autoposter/workflow';
import { calledTooOften } from '../post/publish-conditions';
import type { ReconcileInput } from './steps/check-container.step';
import type { Resolution } from './steps/resolve-outcome.step';

export const reconcileCommit: StageCommit<ReconcileInput, Resolution> = {
  async waiting(uow, { attempt }, until) {
    await uow.attempts.patch(attempt.id, { checks: attempt.checks + 1, nextCheckAt: until });
  },

  async done(uow, { attempt }, resolution, job) {
    const now = await uow.attempts.findForUpdate(attempt.id);
    if (now?.state === 'published' && now.mediaId === null) return identify(uow, now, resolution);
    if (now?.state !== 'unknown') return;
    switch (resolution.kind) {
      case 'published': {
        const { id, permalink, timestamp } = resolution.media;
        const mediaType = POSTED_AS[now.kind];
        await settlePublished(uow, now, { mediaId: id, permalink, mediaType, publishedAt: new Date(timestamp) }, 'reconcile');
        tell(uow, now, `${PUBLISH_STAGE}.completed`, 'posted', null, job.correlationId);
        return;
      }
      case 'published-unseen': {
        const publishedAt = lastCallOf(now) ?? now.createdAt;
        await settlePublished(uow, now, { mediaId: null, mediaType: POSTED_AS[now.kind], publishedAt }, 'reconcile');
        await uow.attempts.patch(now.id, { nextCheckAt: new Date((await uow.now()).getTime() + HOUR) });
        tell(uow, now, `${PUBLISH_STAGE}.completed`, 'posted', null, job.correlationId);
        return;
      }
      case 'publish-again': {
        // its container may still be published: the attempt ends once that has expired
        const held = (await findCallRefusal(uow, now)) ?? calledTooOften(now);
        if (held !== null) return holdUntilExpired(uow, now, held, job.correlationId);
        await transitionAttempt(uow, now, 'container', { intentAt: null });
        await uow.queue.markOutcomeUnknown(now.queueItemId);
        await requestStage(uow, {
          stage: PUBLISH_STAGE,
          subjectId: now.id,
          itemId: now.itemId,
          key: now.accountId,
          correlationId: job.correlationId,
          actor: 'instagram-poster',
        });
        return;
      }
      case 'not-published':
        return notOut(uow, now, resolution.message, job.correlationId);
      case 'ask-a-person':
        await askAPerson(uow, now, resolution.message, DAY, job.correlationId);
    }
  },

  skipped() {
    throw new Error('no step of reconcile leaves a post out');
  },

  /** The check itself failed permanently (token, outage): the outcome stays unknown, a person is asked, and the check is repeated in an hour. */
  async failed(uow, { attempt }, failure, _step, job) {
    const now = await uow.attempts.findForUpdate(attempt.id);
    if (now?.state === 'unknown') await askAPerson(uow, now, failure.message, HOUR, job.correlationId);
    if (now?.state === 'published') await uow.attempts.patch(now.id, { nextCheckAt: new Date((await uow.now()).getTime() + HOUR) });
  },
};

/**
 * Finds the media of a post that a person confirmed without its id. Links none if several match. Searches for a day, because an account lists
 * new posts late.
 */
async function identify(uow: UnitOfWork, { id, permalink, publishedAt }: PublishAttempt, resolution: Resolution): Promise<void> {
  if (resolution.kind === 'published') {
    const { media } = resolution;
    return uow.attempts.patch(id, { mediaId: media.id, permalink: permalink ?? media.permalink, nextCheckAt: null });
  }
  const now = (await uow.now()).getTime();
  const isNew = publishedAt !== null && now - publishedAt.getTime() < DAY;
  await uow.attempts.patch(id, { nextCheckAt: isNew ? new Date(now + HOUR) : null });
}

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** No further call: the queue shows why, and the container is checked until Instagram has expired it. */
async function holdUntilExpired(uow: UnitOfWork, attempt: PublishAttempt, reason: Failure, correlationId: string): Promise<void> {
  const failure = withAnswerOf(attempt.failure, reason);
  await uow.attempts.patch(attempt.id, { failure, nextCheckAt: new Date((await uow.now()).getTime() + HOUR) });
  await uow.queue.markOutcomeUnknown(attempt.queueItemId, failure);
  tell(uow, attempt, `${PUBLISH_STAGE}.unknown`, 'posting', failure.message, correlationId);
}

/** The queue shows the question until a person or a later check answers it; no requests are sent between checks. */
async function askAPerson(
  uow: UnitOfWork,
  attempt: PublishAttempt,
  message: string,
  lookAgainMs: number,
  correlationId: string,
): Promise<void> {
  const failure = withAnswerOf(attempt.failure, failureOf('publication_undecided', { fields: { reason: message } }));
  await uow.attempts.patch(attempt.id, { failure, nextCheckAt: new Date((await uow.now()).getTime() + lookAgainMs) });
  await uow.queue.markOutcomeUnknown(attempt.queueItemId, failure);
  tell(uow, attempt, `${PUBLISH_STAGE}.unknown`, 'posting', message, correlationId);
}

/** The cause is what Instagram answered to the call, because the posts that failed like this are grouped and retried by it. */
async function notOut(uow: UnitOfWork, attempt: PublishAttempt, message: string, correlationId: string): Promise<void> {
  const answer = attempt.failure?.answer;
  const failure = answer ? changeFailure(answer, { absent: true }) : failureOf('reconciled_as_absent', { fields: { reason: message } });
  const { state, reason } = await settleUnpublished(uow, attempt, failure, { actor: 'instagram-poster', evidence: true });
  tell(uow, attempt, `${PUBLISH_STAGE}.failed`, state, reason, correlationId);
}

/** Records the result for the post; the runner records the end of the reconcile job. */
function tell(
  uow: UnitOfWork,
  attempt: PublishAttempt,
  type: `${typeof PUBLISH_STAGE}.${'completed' | 'failed' | 'unknown'}`,
  state: string,
  reason: string | null,
  correlationId: string,
): void {
  const { id: subjectId, itemId } = attempt;
  uow.history.append({ type, subjectId, itemId, stage: PUBLISH_STAGE, state, reason, correlationId, actor: 'instagram-poster' });
}
