import { STAGE_FACTS, type HeldBack } from '@autoposter/contracts';
import { addReviewReasons, decideRights, ITEM_FLOW, renderReviewReasons, type ReviewReason, reviewReason } from '@autoposter/domain';
import type { ClaimedItem, ContentItem, PublishAttempt, UnitOfWork } from '@autoposter/persistence';
import { blockItemForClaim, lastCallOf, removeFromQueue, rightsBlocked, settleFailed } from '@autoposter/workflow';

/**
 * Blocks or flags items after DMCA protection that match a claimed work; items before it are matched there. A publish attempt is ended
 * while its publish call has not been sent. Items that are or may be published are returned as `out`, for an administrator to take down.
 */
export async function blockClaimed(uow: UnitOfWork, found: readonly ClaimedItem[], actor: string): Promise<HeldBack> {
  const held: HeldBack = { blocked: 0, flagged: 0, out: [] };
  for (const { itemId, matches, files } of found) {
    const { verdict, reasons: flags } = decideRights(files, matches);
    const reasons = verdict === 'blocked' ? matches.slice(0, 1).map(({ title }) => reviewReason('shows_claimed_work', { title })) : flags;
    if (!matches.some(({ strength }) => strength !== 'pass')) continue;
    // before the item, in the lock order of the publishing worker
    const attempt = await lockOpenAttempt(uow, itemId);
    const item = await uow.items.findForUpdate(itemId);
    if (item === null || !(await isHeldBack(uow, { item, attempt, reasons, held }))) continue;
    if (verdict === 'blocked') await block(uow, item, reasons, actor);
    else await flag(uow, item, reasons);
    held[verdict === 'blocked' ? 'blocked' : 'flagged'] += 1;
  }
  return held;
}

interface Found {
  item: ContentItem;
  /** The open publish attempt, locked; `null` if there was none before the item was locked. */
  attempt: PublishAttempt | null;
  reasons: readonly ReviewReason[];
  held: HeldBack;
}

/** Whether the item is unpublished and past the rights check. Updates `item` if its publish attempt was ended. */
async function isHeldBack(uow: UnitOfWork, { item, attempt, reasons, held }: Found): Promise<boolean> {
  switch (item.state) {
    case 'failed':
      return item.failedStage !== null && STAGE_FACTS.afterRightsCheck.includes(item.failedStage);
    case 'queued':
      await removeFromQueue(uow, item.id);
      return true;
    case 'posting':
      if (await endAttempt(uow, item, attempt, reasons)) return true;
      // reconciliation may find the post unpublished: it is then flagged before it can be queued again
      await uow.items.patch(item.id, { needsReview: true, reviewReasons: addReviewReasons(item.reviewReasons, reasons) });
      held.out.push({ id: item.id, title: item.title });
      return false;
    case 'posted':
      held.out.push({ id: item.id, title: item.title });
      return false;
    default:
      return ITEM_FLOW.rightsCheckedStates.includes(item.state);
  }
}

async function block(uow: UnitOfWork, item: ContentItem, reasons: readonly ReviewReason[], actor: string): Promise<void> {
  await uow.jobs.cancelOpen(item.id);
  await blockItemForClaim(uow, item, rightsBlocked(renderReviewReasons(reasons)), actor);
}

/** An uncertain match: the item needs review before it can be queued. */
async function flag(uow: UnitOfWork, item: ContentItem, reasons: readonly ReviewReason[]): Promise<void> {
  const patch = { needsReview: true, reviewReasons: addReviewReasons(item.reviewReasons, reasons) };
  if (item.state !== 'queued') return uow.items.patch(item.id, patch);
  await uow.items.transition(item.id, { fromVersion: item.version, from: 'queued', to: 'ready', patch });
}

/**
 * Ends an attempt before its first publish call. Cancelling the job invalidates the fencing token, so the call can no longer be sent. An
 * attempt that was refused before may be published: its worker finds the claim before the next call.
 */
async function endAttempt(
  uow: UnitOfWork,
  item: ContentItem,
  attempt: PublishAttempt | null,
  reasons: readonly ReviewReason[],
): Promise<boolean> {
  const now = attempt ?? (await lockOpenAttempt(uow, item.id));
  if ((now?.state !== 'open' && now?.state !== 'container') || lastCallOf(now) !== null) return false;
  await uow.jobs.cancelOpen(now.id);
  await settleFailed(uow, now, rightsBlocked(renderReviewReasons(reasons)));
  Object.assign(item, await uow.items.lock(item.id));
  return true;
}

async function lockOpenAttempt(uow: UnitOfWork, itemId: string): Promise<PublishAttempt | null> {
  const open = await uow.attempts.findOpenOf(itemId);
  return open && uow.attempts.lockAfterJobs(open.id);
}
