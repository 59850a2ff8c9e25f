import { PUBLISH_STAGE, RECONCILE_STAGE } from '@autoposter/contracts';
import type { Failure } from '@autoposter/domain';
import { requestStage } from '@autoposter/job-engine';
import type { PublishAttempt, UnitOfWork } from '@autoposter/persistence';

export interface PublishedFacts {
  /** `null` where a person saw the post and named no id. */
  mediaId: string | null;
  permalink?: string | null;
  mediaType?: string | null;
  publishedAt?: Date;
}

/** Who knew: the platform's answer, a look at the account, or a person. */
export type SettledBy = NonNullable<PublishAttempt['settledBy']>;

/** Compare-and-set of an attempt that this transaction has locked; throws where somebody else was first after all. */
export async function transitionAttempt(
  uow: UnitOfWork,
  attempt: PublishAttempt,
  to: PublishAttempt['state'],
  patch: Partial<PublishAttempt>,
): Promise<void> {
  const moved = await uow.attempts.transition(attempt.id, { fromVersion: attempt.version, from: attempt.state, to, patch });
  if (!moved) throw new Error('the attempt was changed by somebody else');
}

/** The post is out: ledger, queue and item say so in one transaction. */
export async function settlePublished(
  uow: UnitOfWork,
  attempt: PublishAttempt,
  facts: PublishedFacts,
  settledBy: SettledBy,
): Promise<void> {
  const publishedAt = facts.publishedAt ?? (await uow.now());
  await transitionAttempt(uow, attempt, 'published', {
    mediaId: facts.mediaId,
    permalink: facts.permalink ?? null,
    mediaType: facts.mediaType ?? null,
    publishedAt,
    settledBy,
    failure: null,
  });
  const place = await uow.queue.findForUpdate(attempt.queueItemId);
  if (place?.status === 'posting') {
    const patch = { finishedAt: publishedAt, outcome: null, failure: null };
    await uow.queue.transition(place.id, { fromVersion: place.version, from: 'posting', to: 'posted', patch });
  }
  const item = await uow.items.findForUpdate(attempt.itemId);
  if (item?.state === 'posting') await uow.items.transition(item.id, { fromVersion: item.version, from: 'posting', to: 'posted' });
}

/** Nothing is out and this attempt is over: the item is ready again, and the failure says why. */
export async function settleFailed(uow: UnitOfWork, attempt: PublishAttempt, failure: Failure, settledBy?: SettledBy): Promise<void> {
  await transitionAttempt(uow, attempt, 'failed', { failure, ...(settledBy ? { settledBy } : {}) });
  const place = await uow.queue.findForUpdate(attempt.queueItemId);
  if (place?.status === 'posting') {
    const patch = { failure, outcome: null, finishedAt: await uow.now() };
    await uow.queue.transition(place.id, { fromVersion: place.version, from: 'posting', to: 'failed', patch });
  }
  const item = await uow.items.findForUpdate(attempt.itemId);
  if (item?.state === 'posting') {
    await uow.items.transition(item.id, { fromVersion: item.version, from: 'posting', to: 'ready' });
    await uow.items.addError(item.id, {
      stage: PUBLISH_STAGE,
      message: failure.message,
      timestamp: (await uow.now()).toISOString(),
      nextAction: failure.nextAction,
      kind: failure.kind,
    });
  }
}

/** Nobody knows whether the post is out: ledger and queue say so, and a look at the account is asked for. */
export async function settleUnknown(
  uow: UnitOfWork,
  attempt: PublishAttempt,
  ask: { actor: string; correlationId?: string },
): Promise<void> {
  await transitionAttempt(uow, attempt, 'unknown', {});
  await uow.queue.markOutcomeUnknown(attempt.queueItemId);
  await requestReconcile(uow, attempt, ask);
}

/** Asks for a look at the account, in the trace in which the post was queued. */
export async function requestReconcile(
  uow: UnitOfWork,
  { id, itemId, accountId, queueItemId }: PublishAttempt,
  ask: { actor: string; correlationId?: string },
): Promise<void> {
  const traceparent = (await uow.queue.find(queueItemId))?.traceparent ?? null;
  await requestStage(uow, { ...ask, stage: RECONCILE_STAGE, subjectId: id, itemId, key: accountId, traceparent });
}
