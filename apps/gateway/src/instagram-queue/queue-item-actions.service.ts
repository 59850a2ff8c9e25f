import { ConflictException, HttpException, Inject, Injectable, UnprocessableEntityException } from '@nestjs/common';
import { PUBLISH_STAGE, type PublishedInAppBody, type SettleBody } from '@autoposter/contracts';
import {
  composeCaption,
  creditLine,
  type Failure,
  type FailureCode,
  failureOf,
  isRefusedForGood,
  type ItemState,
  POSTED_AS,
  renderReviewReason,
  SCHEDULER_ACTOR,
  withAnswerOf,
} from '@autoposter/domain';
import { Database, type ContentItem, type MediaFile, type PublishAttempt, type QueueItem, type UnitOfWork } from '@autoposter/persistence';
import {
  findPublishingRefusal,
  findUnreviewedMatch,
  ItemRefusal,
  lastCallOf,
  lockItem,
  requestReconcile,
  settleInApp,
  settlePublished,
  settleUnpublished,
  transitionAttempt,
} from '@autoposter/workflow';
import { SETTINGS, type GatewaySettings } from '../bootstrap/settings';
import { StoredSettings } from '../settings/stored-settings';
import { assertNoOpenAttempt, unknownQueueItem, whyNotReady } from './instagram-queue.service';
import { lockQueue, planSlots } from './plan-slots';

/** Instagram may still publish a post this long after a call whose response was lost. */
const MAY_STILL_PUBLISH_MS = 10 * 60_000;

/** Posts that one request queues again. */
const MAX_RETRIED = 500;

/** The failures of a post that a claim or a missing permission stopped before its publish call. */
const RIGHTS_STOPS: readonly FailureCode[] = ['not_permitted', 'claimed_media', 'claimed_source', 'claimed_work'];
/** An older post is not returned: a person decides whether it is still of interest. */
const RETURNED_WITHIN_DAYS = 30;
/** Stopped posts that one run of the scheduler checks. */
const CHECKED_PER_RUN = 50;
const STOP_IS_OVER = 'The claim or the missing permission that stopped this post is over.';

/** Retrying, removing and manually reconciling one queue item. */
@Injectable()
export class QueueItemActionsService {
  /** The stopped post that was checked last. The next run continues after it, so that posts that stay stopped delay no others. */
  private lastChecked: string | null = null;

  constructor(
    private readonly database: Database,
    private readonly stored: StoredSettings,
    @Inject(SETTINGS) private readonly settings: GatewaySettings,
  ) {}

  /** Queues a failed post again, with its queued caption or with the one that was edited since. */
  async retry(id: string, actor: string): Promise<void> {
    await this.database.unitOfWork(async (uow) => {
      const { item } = await this.requeue(uow, id);
      uow.history.append({ type: 'item.queued', subjectId: item.id, itemId: item.id, state: 'queued', actor });
      await uow.audit.record({ actor, action: 'queue.retried', subject: id });
    });
  }

  /** The next posts that failed because of a rights stop, for `returnIfReleased`. */
  async nextStopped(): Promise<Pick<QueueItem, 'id' | 'itemId'>[]> {
    const some = { after: this.lastChecked, limit: CHECKED_PER_RUN };
    const stopped = await this.database.read.queue.stoppedAndReady(RIGHTS_STOPS, RETURNED_WITHIN_DAYS, some);
    this.lastChecked = stopped.length < CHECKED_PER_RUN ? null : (stopped.at(-1)?.id ?? null);
    return stopped;
  }

  /**
   * Queues a post again, on its account, whose rights stop is over: a permission was given, a claim ended or allows the post, or its match was
   * answered "not the same". A blocked post returns when it has passed DMCA protection again.
   */
  async returnIfReleased({ id, itemId }: Pick<QueueItem, 'id' | 'itemId'>): Promise<void> {
    if ((await findPublishingRefusal(this.database.read, itemId)) !== null) return;
    try {
      await this.database.unitOfWork((uow) => this.returnStopped(uow, id));
    } catch (error) {
      // it stays failed, for a person to see why
      if (!(error instanceof HttpException || error instanceof ItemRefusal)) throw error;
    }
  }

  private async returnStopped(uow: UnitOfWork, id: string): Promise<void> {
    const { item, failure } = await this.requeue(uow, id, async () => {
      if ((await uow.queue.stoppedAndReady(RIGHTS_STOPS, RETURNED_WITHIN_DAYS, { id })).length === 0)
        throw new ConflictException('This post was changed meanwhile.');
    });
    const actor = SCHEDULER_ACTOR;
    uow.history.append({ type: 'item.queued', subjectId: item.id, itemId: item.id, state: 'queued', reason: STOP_IS_OVER, actor });
    await uow.audit.record({ actor, action: 'queue.returned', subject: id, detail: { stoppedBy: failure?.code ?? null } });
  }

  /** Moves a failed post to the end of the queue. `check` runs when queue item and item are locked. Returns the failure that it had. */
  private async requeue(uow: UnitOfWork, id: string, check?: () => Promise<void>): Promise<{ item: ContentItem; failure: Failure | null }> {
    const queueItem = await uow.queue.findForUpdate(id);
    if (!queueItem) throw unknownQueueItem();
    if (queueItem.status !== 'failed') {
      throw new ConflictException(`Only a failed post can be retried; this one is ${queueItem.status}.`);
    }
    await this.stored.accountForQueue(uow, queueItem.accountId);
    const item = await lockItem(uow, queueItem.itemId);
    if (item.state !== 'ready') throw new ConflictException(whyNotReady(item.state));
    await check?.();
    await assertNotPublished(uow, item);
    await assertReviewed(uow, item, queueItem);
    const { refusal } = await uow.permissions.stateOf(item, queueItem.accountId);
    if (refusal !== null) throw new UnprocessableEntityException(renderReviewReason(refusal));
    const patch = {
      caption: await captionFor(uow, item, queueItem, this.settings.maxHashtags),
      queuedAt: await uow.now(),
      scheduledFor: null,
      finishedAt: null,
      failure: null,
      outcome: null,
      pinned: false,
      immediate: false,
    };
    await uow.queue.transition(id, { fromVersion: queueItem.version, from: 'failed', to: 'pending', patch });
    await uow.items.transition(item.id, { fromVersion: item.version, from: 'ready', to: 'queued' });
    await planSlots(uow, await this.stored.queue(uow, queueItem.accountId), queueItem.accountId);
    return { item, failure: queueItem.failure };
  }

  /**
   * Queues all failed posts of an account, or of all, with this cause again; the planner spaces them. A post that cannot be retried, as one
   * that was published since, is left as it is and counted.
   */
  async retryAll(cause: string, actor: string, accountId: string | null = null): Promise<{ retried: number; refused: number }> {
    const ids = await this.database.read.failures.failedWith(cause, MAX_RETRIED, accountId);
    let retried = 0;
    for (const id of ids) {
      try {
        await this.retry(id, actor);
        retried += 1;
      } catch (error) {
        if (!(error instanceof HttpException || error instanceof ItemRefusal)) throw error;
      }
    }
    const result = { retried, refused: ids.length - retried };
    await this.database.unitOfWork((uow) =>
      uow.audit.record({ actor, action: 'failures.retried', detail: { cause, ...(accountId === null ? {} : { accountId }), ...result } }),
    );
    return result;
  }

  /** Makes the post ready again. A container that Instagram already prepared expires unused. */
  async remove(id: string, actor: string): Promise<void> {
    await this.database.unitOfWork(async (uow) => {
      const seen = await uow.queue.find(id);
      if (!seen) throw unknownQueueItem();
      const attempt = seen.status === 'posting' ? await abandonAttempt(uow, seen) : null;
      const queueItem = await uow.queue.findForUpdate(id);
      if (!queueItem) throw unknownQueueItem();
      assertRemovable(queueItem, attempt);
      const { itemId, version, status } = queueItem;
      const item = await uow.items.findForUpdate(itemId);
      await uow.queue.transition(id, { fromVersion: version, from: status, to: 'cancelled', patch: { finishedAt: await uow.now() } });
      if (item?.state === 'queued' || item?.state === 'posting') {
        await uow.items.transition(item.id, { fromVersion: item.version, from: item.state, to: 'ready' });
      }
      uow.history.append({ type: 'item.unqueued', subjectId: itemId, itemId, state: 'ready', actor });
      uow.history.append({ type: 'queue.changed', subjectId: id, itemId, state: 'removed', actor });
      await uow.audit.record({ actor, action: 'queue.removed', subject: id, ...(attempt ? { detail: { attempt: attempt.id } } : {}) });
      await planSlots(uow, await this.stored.queue(uow, queueItem.accountId), queueItem.accountId);
    });
  }

  /** What a person needs to publish a failed post in the Instagram app. */
  async inAppTask(id: string): Promise<{ queueItem: QueueItem; files: MediaFile[] }> {
    return this.database.unitOfWork(async (uow) => {
      const queueItem = await uow.queue.find(id);
      if (!queueItem) throw unknownQueueItem();
      if (queueItem.status !== 'failed') throw new ConflictException(notFailed(queueItem));
      const item = await lockItem(uow, queueItem.itemId);
      if (item.state !== 'ready') throw new ConflictException(whyNotReady(item.state));
      if (!canFinishInApp(queueItem, item.state)) {
        throw new ConflictException('Instagram did not refuse this post for good: resolve its failure, then retry it.');
      }
      await assertNotPublished(uow, item);
      await assertReviewed(uow, item, queueItem);
      const refusal = await findPublishingRefusal(uow, item.id);
      if (refusal !== null) throw new ConflictException(refusal.message);
      return { queueItem, files: await uow.media.ofItem(item.id, 'processed') };
    });
  }

  /** Records that a person published a failed post in the app. Its media on the account is looked up later. */
  async publishedInApp(id: string, { permalink }: PublishedInAppBody, actor: string): Promise<void> {
    await this.database.unitOfWork(async (uow) => {
      const queueItem = await uow.queue.findForUpdate(id);
      if (!queueItem) throw unknownQueueItem();
      if (queueItem.status !== 'failed') throw new ConflictException(notFailed(queueItem));
      const item = await lockItem(uow, queueItem.itemId);
      // a published post is recorded as published, even if a claim has blocked it since
      if (item.state !== 'ready' && item.state !== 'blocked') throw new ConflictException(whyNotReady(item.state));
      await assertNotPublished(uow, item);
      const { userId: accountId } = await this.stored.account(uow, queueItem.accountId);
      if (accountId === null) throw new ConflictException('Instagram is not configured, so the account of this post is not known.');
      // posts that are dispatched or called from now on keep their distance from this one and are compared with it
      await lockQueue(uow, queueItem.accountId);
      await uow.attempts.lockAccount(accountId);
      const attempt = await settleInApp(uow, queueItem, { accountId, permalink });
      const event = {
        subjectId: attempt.id,
        itemId: item.id,
        stage: PUBLISH_STAGE,
        state: item.state === 'ready' ? 'posted' : item.state,
        actor,
      };
      uow.history.append({ type: `${PUBLISH_STAGE}.completed`, ...event });
      await uow.audit.record({ actor, action: 'queue.published_in_app', subject: id, detail: { attempt: attempt.id } });
    });
  }

  /** Publishes a reel without a result of the platform's copyright check; the audit log keeps who decided it, and in which state. */
  async publishAnyway(id: string, actor: string): Promise<void> {
    await this.database.unitOfWork(async (uow) => {
      const seen = await uow.queue.find(id);
      if (!seen) throw unknownQueueItem();
      const open = await uow.attempts.findOpenOf(seen.itemId);
      const attempt = open && (await uow.attempts.lockAfterJobs(open.id));
      const check = attempt?.rightsCheck;
      if (!attempt || !check?.held || check.releasedBy !== undefined || attempt.queueItemId !== id)
        throw new ConflictException(`This post is not held by Instagram's copyright check; it is ${seen.status}.`);
      await uow.attempts.keepRightsCheck(attempt.id, { ...check, releasedBy: actor });
      await uow.jobs.makeDue(PUBLISH_STAGE, attempt.id);
      uow.history.append({ type: 'queue.changed', subjectId: id, itemId: seen.itemId, state: 'rights_hold_released', actor });
      await uow.audit.record({
        actor,
        action: 'queue.rights_hold_released',
        subject: id,
        detail: { attempt: attempt.id, check: check.state },
      });
    });
  }

  /**
   * Records an administrator's answer for an attempt whose outcome is unknown. While the container of an absent post may still be published,
   * reconciliation publishes that same container again or waits until Instagram has expired it; a second container would publish twice.
   * Once the container has expired, the post becomes ready to be queued again, unless a rights claim matches it.
   */
  async resolveOutcome(id: string, answer: SettleBody, actor: string): Promise<void> {
    await this.database.unitOfWork(async (uow) => {
      const attempt = await lockUnknownAttempt(uow, id);
      const { itemId } = attempt;
      const isLive = answer.outcome === 'live';
      const result = isLive ? await settleAsLive(uow, attempt, answer) : await settleAsAbsent(uow, attempt, actor);
      const became = { posted: 'completed', posting: 'unknown', ready: 'failed', blocked: 'failed' } as const;
      const type = `${PUBLISH_STAGE}.${became[result.state]}` as const;
      uow.history.append({ type, subjectId: attempt.id, itemId, stage: PUBLISH_STAGE, ...result, actor });
      await uow.audit.record({ actor, action: `queue.settled_${answer.outcome}`, subject: id, detail: { attempt: attempt.id } });
    });
  }
}

/** Whether the API refused this post for good and nothing else keeps it from being published. */
export const canFinishInApp = ({ status, failure }: QueueItem, itemState: ItemState): boolean =>
  status === 'failed' && itemState === 'ready' && failure !== null && isRefusedForGood(failure);

const notFailed = ({ status }: QueueItem): string => `Only a failed post can be published in the app instead; this one is ${status}.`;

async function assertNotPublished(uow: UnitOfWork, item: ContentItem): Promise<void> {
  const known = (await uow.attempts.ofItems([item.id])).get(item.id);
  if (known?.state === 'published') throw new ConflictException('This post was already published.');
  await assertNoOpenAttempt(uow, item.id);
}

async function assertReviewed(uow: UnitOfWork, item: ContentItem, { queuedAt }: QueueItem): Promise<void> {
  const unreviewed = await findUnreviewedMatch(uow, item, queuedAt);
  if (unreviewed !== null) throw new ConflictException(`${unreviewed.message} ${unreviewed.nextAction ?? ''}`.trim());
}

async function captionFor(uow: UnitOfWork, item: ContentItem, queueItem: QueueItem, maxHashtags: number): Promise<string> {
  const stored = await uow.captions.of(item.id);
  const writtenAt = stored && (stored.editedAt ?? stored.processedAt);
  if (!stored || !writtenAt || queueItem.finishedAt === null || writtenAt <= queueItem.finishedAt) return queueItem.caption;
  const { caption, hashtags } = stored;
  const credit = (await uow.permissions.stateOf(item, null)).credit ?? creditLine(item);
  const { text, violations } = composeCaption({ caption, hashtags, credit, maxHashtags });
  const exceeded = violations.filter(({ severity }) => severity === 'limit');
  if (exceeded.length > 0) throw new UnprocessableEntityException(exceeded.map(({ message }) => message).join(' '));
  return text;
}

/**
 * Ends the attempt before its first publish call. The job is cancelled first, in the order in which a worker takes its locks: a worker in
 * progress finds its fencing token invalid and makes no call. Once the intent is committed, the worker owns the attempt and this is refused.
 */
async function abandonAttempt(uow: UnitOfWork, { id, itemId }: QueueItem): Promise<PublishAttempt | null> {
  const open = await uow.attempts.findOpenOf(itemId);
  if (open?.queueItemId !== id) return null;
  await uow.jobs.cancelOpen(open.id);
  const attempt = await uow.attempts.lock(open.id);
  if ((attempt.state !== 'open' && attempt.state !== 'container') || lastCallOf(attempt) !== null) throw new ConflictException(TOO_LATE);
  await transitionAttempt(uow, attempt, 'abandoned', { settledBy: 'person' });
  return attempt;
}

const TOO_LATE = 'This post was already sent to Instagram and cannot be removed from the queue; its outcome is being reconciled.';

const WHY_NOT_REMOVABLE: Record<Exclude<QueueItem['status'], 'pending' | 'scheduled' | 'posting'>, string> = {
  posted: 'This post was already published.',
  failed: 'This post is no longer in the queue: it could not be published.',
  cancelled: 'This post was already removed from the queue.',
};

/** If an outcome was ever unknown, the post may be published: only reconciliation can tell. */
function assertRemovable({ status, outcome }: QueueItem, attempt: PublishAttempt | null): void {
  if (status === 'pending' || status === 'scheduled') return;
  if (status !== 'posting') throw new ConflictException(WHY_NOT_REMOVABLE[status]);
  if (attempt === null || outcome !== null) throw new ConflictException(TOO_LATE);
}

async function lockUnknownAttempt(uow: UnitOfWork, queueItemId: string): Promise<PublishAttempt> {
  const queueItem = await uow.queue.find(queueItemId);
  if (queueItem === null) throw unknownQueueItem();
  const open = await uow.attempts.findOpenOf(queueItem.itemId);
  const attempt = open && (await uow.attempts.lockAfterJobs(open.id));
  if (attempt?.state === 'unknown' && attempt.queueItemId === queueItemId) return attempt;
  throw new ConflictException(`Only a post with an unknown outcome can be resolved by hand; this one is ${queueItem.status}.`);
}

async function settleAsLive(uow: UnitOfWork, attempt: PublishAttempt, { mediaId, permalink }: SettleBody) {
  await uow.attempts.lockAccount(attempt.accountId);
  const known = mediaId ?? attempt.answeredMediaId ?? undefined;
  if (known !== undefined && (await uow.attempts.findLinked(attempt.accountId, [known], attempt.id)).size > 0) {
    throw new ConflictException('This media id already belongs to another post.');
  }
  const calledAt = lastCallOf(attempt);
  const found = {
    mediaId: known ?? null,
    permalink: permalink ?? null,
    mediaType: POSTED_AS[attempt.kind],
    publishedAt: calledAt ?? undefined,
  };
  await settlePublished(uow, attempt, found, 'person');
  // the scheduler looks the media up, so that no other post with this caption can claim it
  if (known === undefined) await uow.attempts.patch(attempt.id, { nextCheckAt: await uow.now() });
  return { state: 'posted' } as const;
}

/**
 * Ends the attempt at once only if it has no container, so that nothing was called. Otherwise the answer only replaces what the account
 * cannot tell: reconciliation first reads the container, which may be published although the person did not see the post.
 */
async function settleAsAbsent(uow: UnitOfWork, attempt: PublishAttempt, actor: string) {
  const now = await uow.now();
  const age = now.getTime() - (lastCallOf(attempt) ?? attempt.createdAt).getTime();
  if (age < MAY_STILL_PUBLISH_MS) {
    throw new ConflictException('Instagram may still publish this post; check the account ten minutes after it was sent.');
  }
  const failure = failureOf('absent_by_person');
  if (attempt.containerId === null) {
    return settleUnpublished(uow, attempt, failure, { actor, settledBy: 'person', evidence: true });
  }
  await uow.attempts.patch(attempt.id, { absentAt: now, failure: withAnswerOf(attempt.failure, failure), nextCheckAt: null });
  await uow.queue.markOutcomeUnknown(attempt.queueItemId);
  await uow.jobs.cancelOpen(attempt.id);
  await requestReconcile(uow, attempt, { actor });
  return { state: 'posting', reason: failure.message } as const;
}
