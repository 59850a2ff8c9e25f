import { ENVIRONMENT_ACCOUNT_ID } from '@autoposter/contracts';
import {
  type AccountHold,
  accountSetting,
  type Failure,
  failureOf,
  isBlocked,
  isInForce,
  PINNED_APART_MS,
  type QueueSettings,
  renderReviewReason,
  type ReviewReason,
  SCHEDULER_ACTOR,
} from '@autoposter/domain';
import type { MediaFile, QueueItem, UnitOfWork } from '@autoposter/persistence';
import { holdBack, startPosting } from '@autoposter/workflow';
import { blocksQueue, takenByPosting, lockQueue } from './plan-slots';
import { LATE_MS, stopForBacklog, stopForOtherAccount } from './queue-questions';

interface DispatchInput {
  settings: QueueSettings;
  paused: boolean;
  /** Our id of the account whose queue is dispatched; by default the account of the environment. */
  queueAccountId?: string;
  /** Instagram's id of that account; `null` while publishing is not configured. */
  accountId: string | null;
  /** Whether this process may still dispatch: locks its lease, so that no other process takes it over before this transaction ends. */
  holdsLease?: (uow: UnitOfWork) => Promise<boolean>;
  /** Why no post can be published here; queue items keep their slots until some can. */
  whyNoPost: () => Promise<Failure | null>;
  /** Why a post with these files cannot be published here. */
  whyNotPublishable: (files: readonly MediaFile[]) => Promise<Failure | null>;
}

const CANDIDATES = 20;

/**
 * Starts posting the queue item that is due, one at a time, so that the interval is kept after an outage. A stopped queue posts only
 * immediate items. A pinned item that is on time skips the interval but not blocked hours; a late one keeps the interval, so that several late
 * items are not published together. Returns the id of the started queue item or `null`.
 */
export async function dispatchDue(uow: UnitOfWork, input: DispatchInput): Promise<string | null> {
  const { settings, paused, accountId, whyNoPost, whyNotPublishable, queueAccountId = ENVIRONMENT_ACCOUNT_ID } = input;
  if (paused || accountId === null || (await input.holdsLease?.(uow)) === false) return null;
  // only the account of the environment can be replaced by another one
  if (queueAccountId === ENVIRONMENT_ACCOUNT_ID && (await stopForOtherAccount(uow, accountId))) return null;
  if (await isOnHold(uow, queueAccountId)) return null;
  if (!(await uow.queue.anyDue(queueAccountId)) || (await whyNoPost()) !== null) return null;
  await lockQueue(uow, queueAccountId);
  if (settings.running && (await stopForBacklog(uow, settings, queueAccountId))) return null;
  const due = await uow.queue.lockDue(CANDIDATES, queueAccountId);
  if (due.length === 0) return null;
  const posting = await uow.queue.listPosting(queueAccountId);
  if (posting.some(blocksQueue)) return null;
  const lastPostAt = await uow.queue.lastPostAt(queueAccountId);
  const earlierPosts = [...takenByPosting(posting), ...(lastPostAt === null ? [] : [lastPostAt])];
  const now = await uow.now();
  for (const item of due) {
    if (!mayGo(item, settings, now, earlierPosts)) continue;
    // an attempt with an unknown outcome must be reconciled first; the ledger refuses a second attempt
    if ((await uow.attempts.findOpenOf(item.itemId)) !== null) continue;
    const outOfReach = await whyNotPublishable(await uow.media.ofItem(item.itemId, 'processed'));
    if (outOfReach !== null) await hold(uow, item, outOfReach);
    else if (await startItem(uow, item, accountId)) return item.id;
  }
  return null;
}

/** Whether the settings of the queue let an item go now. */
function mayGo({ immediate, pinned, scheduledFor }: QueueItem, settings: QueueSettings, now: Date, earlierPosts: readonly Date[]): boolean {
  if (immediate) return true;
  if (!settings.running || isBlocked(now, settings.timeBlocking)) return false;
  const isOnTime = pinned && now.getTime() - (scheduledFor ?? now).getTime() < LATE_MS;
  const apartMs = isOnTime ? PINNED_APART_MS : settings.intervalMinutes * 60_000;
  return earlierPosts.every((post) => now.getTime() - post.getTime() >= apartMs);
}

/** Returns whether posting began. An item that is refused waits for a review, is held, or fails, so that the next one may go. */
async function startItem(uow: UnitOfWork, item: QueueItem, accountId: string): Promise<boolean> {
  const sent = await startPosting(uow, item, { accountId, actor: SCHEDULER_ACTOR });
  if (sent.outcome !== 'refused') return sent.outcome === 'started';
  if (sent.waits) await returnForReview(uow, item, sent.reason);
  else if (sent.reason.code === 'too_many_reposts') await hold(uow, item, repostFailure(sent.reason));
  else await failQueueItem(uow, item, failureOf('post_not_sendable', { fields: { reason: renderReviewReason(sent.reason) } }));
  return false;
}

/** Whether the publishing worker holds the account's posts back, because Instagram refuses them. */
export async function isOnHold(uow: UnitOfWork, queueAccountId: string): Promise<boolean> {
  const hold = await uow.settings.get<AccountHold>(accountSetting('accountHold', queueAccountId));
  return hold !== null && isInForce(hold, await uow.now());
}

/** The post keeps its place and shows why it waits; `WatchDuePostsTask` releases it when the cause is over. */
async function hold(uow: UnitOfWork, { id, itemId }: QueueItem, failure: Failure): Promise<void> {
  if (!(await uow.queue.markDelayed(id, failure))) return;
  uow.history.append({ type: 'queue.changed', subjectId: id, itemId, state: 'held', reason: failure.message });
}

export const repostFailure = (reason: ReviewReason): Failure =>
  failureOf('repost_held', { fields: { reason: renderReviewReason(reason) } });

/** The post leaves the queue until a permission releases it. */
async function returnForReview(uow: UnitOfWork, { itemId }: QueueItem, reason: ReviewReason): Promise<void> {
  await holdBack(uow, [{ itemId, verdict: 'flagged', reasons: [reason] }], { actor: SCHEDULER_ACTOR, claimId: null });
  const told = { state: 'ready', reason: renderReviewReason(reason), actor: SCHEDULER_ACTOR };
  uow.history.append({ type: 'item.unqueued', subjectId: itemId, itemId, ...told });
}

/** A queue item that cannot be published would stay due: it fails, and its item becomes ready again. */
async function failQueueItem(uow: UnitOfWork, queueItem: QueueItem, failure: Failure): Promise<void> {
  const patch = { failure, finishedAt: await uow.now() };
  await uow.queue.transition(queueItem.id, { fromVersion: queueItem.version, from: queueItem.status, to: 'failed', patch });
  const item = await uow.items.findForUpdate(queueItem.itemId);
  if (item?.state === 'queued') await uow.items.transition(item.id, { fromVersion: item.version, from: 'queued', to: 'ready' });
  const reason = failure.message;
  uow.history.append({ type: 'item.unqueued', subjectId: queueItem.itemId, itemId: queueItem.itemId, state: item?.state ?? null, reason });
}
