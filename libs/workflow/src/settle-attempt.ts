import { PUBLISH_STAGE, RECONCILE_STAGE } from '@autoposter/contracts';
import { type Failure, plannedChecks, POSTED_AS } from '@autoposter/domain';
import { requestStage } from '@autoposter/job-engine';
import type { ContentItem, PublishAttempt, QueueItem, UnitOfWork } from '@autoposter/persistence';
import { openAttempt, removeFromQueue } from './enqueue';
import { openCasesOfLivePost } from './rights-cases';

interface PublishedFacts {
  /** `null` if a person confirmed the post without an id. */
  mediaId: string | null;
  permalink?: string | null;
  mediaType?: string | null;
  publishedAt?: Date;
}

/** Source of the result: the platform's answer, reconciliation, or a person. */
export type SettledBy = NonNullable<PublishAttempt['settledBy']>;

/** Also checks the attempts: an item that was discarded, deleted or blocked here can still be live. */
export async function isPublished(uow: UnitOfWork, { id, state }: Pick<ContentItem, 'id' | 'state'>): Promise<boolean> {
  return state === 'posted' || (await uow.attempts.ofItems([id])).get(id)?.state === 'published';
}

/**
 * When the last publish call of an attempt was made or intended; `null` if there was none. Until the account shows otherwise such an attempt
 * may be published, regardless of the platform's answer.
 */
export const lastCallOf = (attempt: Pick<PublishAttempt, 'calledAt' | 'intentAt'>): Date | null => attempt.calledAt ?? attempt.intentAt;

/** Compare-and-set of an attempt that this transaction has locked; throws if it changed nevertheless. */
export async function transitionAttempt(
  uow: UnitOfWork,
  attempt: PublishAttempt,
  to: PublishAttempt['state'],
  patch: Partial<PublishAttempt>,
): Promise<void> {
  const moved = await uow.attempts.transition(attempt.id, { fromVersion: attempt.version, from: attempt.state, to, patch });
  if (!moved) throw new Error('a locked attempt was changed concurrently');
}

/** The post is published: updates attempt, queue item and item, also where the attempt had ended without it. */
export async function settlePublished(
  uow: UnitOfWork,
  attempt: PublishAttempt,
  { mediaId, permalink = null, mediaType = null, publishedAt: known }: PublishedFacts,
  settledBy: SettledBy,
): Promise<void> {
  const publishedAt = known ?? (await uow.now());
  await transitionAttempt(uow, attempt, 'published', { mediaId, permalink, mediaType, publishedAt, settledBy, failure: null });
  await uow.postChecks.schedule(attempt.id, publishedAt, plannedChecks(attempt.options, attempt.kind));
  await settleQueueItem(uow, attempt, publishedAt);
  const item = await uow.items.findForUpdate(attempt.itemId);
  const { accountId, containerId, mediaSha256, captionHash } = attempt;
  await uow.provenance.append(attempt.itemId, 'published', {
    ...{ accountId, containerId, mediaSha256, captionHash, settledBy, mediaId, permalink },
    publishedAt: publishedAt.toISOString(),
  });
  if (item !== null) await settleItem(uow, item, attempt);
}

/** The attempt had ended without a post: its item may have moved on since. */
const hadEnded = ({ state }: PublishAttempt): boolean => state === 'failed' || state === 'abandoned';

async function settleQueueItem(uow: UnitOfWork, attempt: PublishAttempt, publishedAt: Date): Promise<void> {
  const queueItem = await uow.queue.findForUpdate(attempt.queueItemId);
  const isOpen =
    queueItem?.status === 'posting' || (hadEnded(attempt) && (queueItem?.status === 'failed' || queueItem?.status === 'cancelled'));
  if (!isOpen) return;
  // the interval to the next post is counted from here, and the platform's clock may differ from the database's
  const called = Math.max(publishedAt.getTime(), lastCallOf(attempt)?.getTime() ?? 0);
  const finishedAt = new Date(Math.min(called, (await uow.now()).getTime()));
  const patch = { finishedAt, outcome: null, failure: null };
  await uow.queue.transition(queueItem.id, { fromVersion: queueItem.version, from: queueItem.status, to: 'posted', patch });
}

/** The states through which an item reaches `posted`. */
const NEXT_TO_POSTED = { ready: 'queued', queued: 'posting', posting: 'posted' } as const;

async function settleItem(uow: UnitOfWork, item: ContentItem, attempt: PublishAttempt): Promise<void> {
  if (hadEnded(attempt) && item.state === 'queued') await removeFromQueue(uow, item.id);
  if (item.state !== 'posting') await openCasesOfLivePost(uow, item);
  if (item.state !== 'posting' && !hadEnded(attempt)) return;
  let { state, version } = item;
  while (state === 'ready' || state === 'queued' || state === 'posting') {
    const to = NEXT_TO_POSTED[state];
    await uow.items.transition(item.id, { fromVersion: version, from: state, to });
    [state, version] = [to, version + 1];
  }
}

/**
 * A person published a failed post in the Instagram app. A post that failed before its first attempt gets one, because the ledger of attempts
 * is what prevents publishing twice. The media is looked up on the account later. Requires the locks of queue item and item.
 */
export async function settleInApp(
  uow: UnitOfWork,
  queueItem: QueueItem,
  { accountId, permalink }: { accountId: string; permalink?: string },
): Promise<PublishAttempt> {
  const last = (await uow.attempts.ofItems([queueItem.itemId])).get(queueItem.itemId);
  let ended = last?.queueItemId === queueItem.id ? await uow.attempts.lock(last.id) : null;
  if (ended === null) {
    const opened = await openAttempt(uow, queueItem, await uow.media.ofItem(queueItem.itemId, 'processed'), accountId);
    await transitionAttempt(uow, opened, 'failed', { failure: queueItem.failure });
    ended = await uow.attempts.lock(opened.id);
  }
  await settlePublished(uow, ended, { mediaId: null, permalink, mediaType: POSTED_AS[ended.kind] }, 'person');
  await uow.attempts.patch(ended.id, { nextCheckAt: await uow.now() });
  return ended;
}

/**
 * Nothing was published: the attempt fails, the item becomes ready again with the failure in its errors. Only for attempts without a call, or
 * with evidence from the account; `settleUnpublished` decides.
 */
export async function settleFailed(uow: UnitOfWork, attempt: PublishAttempt, failure: Failure, settledBy?: SettledBy): Promise<void> {
  await transitionAttempt(uow, attempt, 'failed', { failure, settledBy });
  const queueItem = await uow.queue.findForUpdate(attempt.queueItemId);
  if (queueItem?.status === 'posting') {
    const patch = { failure, outcome: null, finishedAt: await uow.now() };
    await uow.queue.transition(queueItem.id, { fromVersion: queueItem.version, from: 'posting', to: 'failed', patch });
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

/** It is unknown whether the post was published: marks attempt and queue item, with `failure` as the cause, and requests reconciliation. */
export async function settleUnknown(
  uow: UnitOfWork,
  attempt: PublishAttempt,
  request: { actor: string; correlationId?: string },
  failure?: Failure,
): Promise<void> {
  await transitionAttempt(uow, attempt, 'unknown', { failure });
  await uow.queue.markOutcomeUnknown(attempt.queueItemId);
  await requestReconcile(uow, attempt, request);
}

/** Requests reconciliation in the trace in which the post was queued. */
export async function requestReconcile(
  uow: UnitOfWork,
  { id, itemId, accountId, queueItemId }: PublishAttempt,
  request: { actor: string; correlationId?: string },
): Promise<void> {
  const traceparent = (await uow.queue.find(queueItemId))?.traceparent ?? null;
  await requestStage(uow, { ...request, stage: RECONCILE_STAGE, subjectId: id, itemId, key: accountId, traceparent });
}
