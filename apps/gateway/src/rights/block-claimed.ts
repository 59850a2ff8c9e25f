import { STAGE_FACTS, type HeldBack } from '@autoposter/contracts';
import { decideRights, ITEM_FLOW } from '@autoposter/domain';
import type { ClaimedItem, ContentItem, PublishAttempt, UnitOfWork } from '@autoposter/persistence';
import { blockItemForClaim, rightsBlocked, removeFromQueue, settleFailed, claimedWorkMessage } from '@autoposter/workflow';

/**
 * Posts that show a claimed work leave the way to publication, wherever they wait or run beyond DMCA protection; those before it will
 * meet the claim there. One that is being published is called back as long as its call has not left. What is out, or may be, is told:
 * that is for a person to take down.
 */
export async function blockClaimed(uow: UnitOfWork, found: readonly ClaimedItem[], actor: string): Promise<HeldBack> {
  const held: HeldBack = { blocked: 0, flagged: 0, out: [] };
  for (const { itemId, match, usable, kind } of found) {
    const { verdict, reasons } = decideRights({ kind, usable, total: usable }, [match]);
    const message = verdict === 'blocked' ? claimedWorkMessage(match.title) : reasons.join(' ');
    // before the item, as the worker that publishes it locks
    const attempt = await lockOpenAttempt(uow, itemId);
    const item = await uow.items.findForUpdate(itemId);
    if (item === null || !(await isOurs(uow, { item, attempt, message, held }))) continue;
    if (verdict === 'blocked') await block(uow, item, message, actor);
    else await flag(uow, item, message);
    held[verdict === 'blocked' ? 'blocked' : 'flagged'] += 1;
  }
  return held;
}

interface Found {
  item: ContentItem;
  /** The one by which it is being published, locked; `null` where there was none just before the item was locked. */
  attempt: PublishAttempt | null;
  message: string;
  held: HeldBack;
}

/** Whether the post lies with us and would reach its audience without another look at the register. Changes `item` where it comes back. */
async function isOurs(uow: UnitOfWork, { item, attempt, message, held }: Found): Promise<boolean> {
  switch (item.state) {
    case 'failed':
      return item.failedStage !== null && STAGE_FACTS.afterRightsCheck.includes(item.failedStage);
    case 'queued':
      await removeFromQueue(uow, item.id);
      return true;
    case 'posting':
      if (await callBack(uow, item, attempt, message)) return true;
      // the platform may yet say that nothing is out: then whoever would call it again meets the claim
      await uow.items.patch(item.id, { needsReview: true, reviewReasons: withReason(item, message) });
      held.out.push({ id: item.id, title: item.title });
      return false;
    case 'posted':
      held.out.push({ id: item.id, title: item.title });
      return false;
    default:
      return ITEM_FLOW.rightsCheckedStates.includes(item.state);
  }
}

async function block(uow: UnitOfWork, item: ContentItem, message: string, actor: string): Promise<void> {
  await uow.jobs.cancelOpen(item.id);
  await blockItemForClaim(uow, item, rightsBlocked(message), actor);
}

/** Too little in common to be sure: it goes on as far as the queue, where a person is asked. */
async function flag(uow: UnitOfWork, item: ContentItem, message: string): Promise<void> {
  const patch = { needsReview: true, reviewReasons: withReason(item, message) };
  if (item.state !== 'queued') return uow.items.patch(item.id, patch);
  await uow.items.transition(item.id, { fromVersion: item.version, from: 'queued', to: 'ready', patch });
}

/** Ends an attempt whose call to publish has not left; with its job cancelled under the fence it cannot leave any more. */
async function callBack(uow: UnitOfWork, item: ContentItem, attempt: PublishAttempt | null, message: string): Promise<boolean> {
  const now = attempt ?? (await lockOpenAttempt(uow, item.id));
  if (now?.state !== 'open' && now?.state !== 'container') return false;
  await uow.jobs.cancelOpen(now.id);
  await settleFailed(uow, now, rightsBlocked(message));
  Object.assign(item, await uow.items.lock(item.id));
  return true;
}

async function lockOpenAttempt(uow: UnitOfWork, itemId: string): Promise<PublishAttempt | null> {
  const open = await uow.attempts.findOpenOf(itemId);
  return open && uow.attempts.lockAfterJobs(open.id);
}

const withReason = ({ reviewReasons }: ContentItem, message: string): string[] => [...new Set([...reviewReasons, message])];
