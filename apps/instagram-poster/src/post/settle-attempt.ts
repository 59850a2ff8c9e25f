import type { Failure } from '@autoposter/domain';
import type { PublishAttempt, UnitOfWork } from '@autoposter/persistence';

export interface PublishedFacts {
  mediaId: string;
  permalink?: string | null;
  mediaType?: string | null;
  publishedAt?: Date;
}

/** The post is out: ledger, queue and item say so in one transaction. */
export async function settlePublished(
  uow: UnitOfWork,
  attempt: PublishAttempt,
  facts: PublishedFacts,
  settledBy: 'answer' | 'reconcile',
): Promise<void> {
  const publishedAt = facts.publishedAt ?? (await uow.now());
  const patch = {
    mediaId: facts.mediaId,
    permalink: facts.permalink ?? null,
    mediaType: facts.mediaType ?? null,
    publishedAt,
    settledBy,
    failure: null,
  };
  const from = attempt.state;
  if (!(await uow.attempts.transition(attempt.id, { fromVersion: attempt.version, from, to: 'published', patch }))) {
    throw new Error('the attempt was changed by somebody else');
  }
  const place = await uow.queue.findForUpdate(attempt.queueItemId);
  if (place?.status === 'posting') {
    await uow.queue.transition(place.id, {
      fromVersion: place.version,
      from: 'posting',
      to: 'posted',
      patch: { finishedAt: publishedAt, outcome: null },
    });
  }
  const item = await uow.items.findForUpdate(attempt.itemId);
  if (item?.state === 'posting') await uow.items.transition(item.id, { fromVersion: item.version, from: 'posting', to: 'posted' });
}

/** Nothing is out and this attempt is over: the item is ready again, and the failure says why. */
export async function settleFailed(uow: UnitOfWork, attempt: PublishAttempt, failure: Failure): Promise<void> {
  if (
    !(await uow.attempts.transition(attempt.id, { fromVersion: attempt.version, from: attempt.state, to: 'failed', patch: { failure } }))
  ) {
    throw new Error('the attempt was changed by somebody else');
  }
  const place = await uow.queue.findForUpdate(attempt.queueItemId);
  if (place?.status === 'posting') {
    const patch = { failure, outcome: null, finishedAt: await uow.now() };
    await uow.queue.transition(place.id, { fromVersion: place.version, from: 'posting', to: 'failed', patch });
  }
  const item = await uow.items.findForUpdate(attempt.itemId);
  if (item?.state === 'posting') {
    await uow.items.transition(item.id, { fromVersion: item.version, from: 'posting', to: 'ready' });
    await uow.items.addError(item.id, {
      stage: 'post',
      message: `${failure.message} ${failure.nextAction}`,
      timestamp: (await uow.now()).toISOString(),
    });
  }
}
