import { type AccountHold, type Failure, failureOf, isBlocked, type QueueSettings, SETTING } from '@autoposter/domain';
import type { MediaFile, QueueItem, UnitOfWork } from '@autoposter/persistence';
import { startPosting } from '@autoposter/workflow';
import { blocksQueue, takenSlots, lockQueue } from './plan-slots';

interface DispatchGround {
  settings: QueueSettings;
  paused: boolean;
  /** `null` while publishing is not configured. */
  accountId: string | null;
  /** Why no post at all can be published here, `null` where some can: posts keep their places until they can. */
  whyNothing: () => Promise<Failure | null>;
  /** Why a post with these files cannot be published here, `null` where it can. */
  whyNot: (files: readonly MediaFile[]) => Promise<Failure | null>;
}

const CANDIDATES = 20;

/**
 * Sends the item whose time has come. One at a time: after an outage the others keep their distance. A stopped queue sends only what a
 * person sent at once. A time that a person pinned passes the interval, not blocked hours that were set later. Answers the queue item that went, `null` where none may go now.
 */
export async function dispatchDue(uow: UnitOfWork, ground: DispatchGround): Promise<string | null> {
  const { settings, paused, accountId, whyNothing, whyNot } = ground;
  if (paused || accountId === null) return null;
  const hold = await uow.settings.get<AccountHold>(SETTING.accountHold);
  if (hold !== null && Date.parse(hold.until) > (await uow.now()).getTime()) return null;
  if (!(await uow.queue.anyDue()) || (await whyNothing()) !== null) return null;
  await lockQueue(uow);
  const due = await uow.queue.lockDue(CANDIDATES);
  if (due.length === 0) return null;
  const away = await uow.queue.listPosting();
  if (away.some(blocksQueue)) return null;
  const now = await uow.now();
  const lastPostAt = await uow.queue.lastPostAt();
  const intervalMs = settings.intervalMinutes * 60_000;
  const earlier = [...takenSlots(away.map((row) => row.queueItem)), ...(lastPostAt === null ? [] : [lastPostAt])];
  const mayGo = (item: QueueItem): boolean => {
    if (item.immediate) return true;
    if (!settings.running || isBlocked(now, settings.timeBlocking)) return false;
    return item.pinned || earlier.every((post) => now.getTime() - post.getTime() >= intervalMs);
  };
  for (const item of due.filter(mayGo)) {
    // An earlier attempt whose outcome nobody knows holds the post back; the ledger would refuse a second one.
    if ((await uow.attempts.findOpenOf(item.itemId)) !== null) continue;
    const outOfReach = await whyNot(await uow.media.ofItem(item.itemId, 'processed'));
    if (outOfReach !== null) {
      await giveBack(uow, item, outOfReach);
      continue;
    }
    const sent = await startPosting(uow, item, { accountId, actor: 'clock' });
    if (sent.outcome === 'started') return item.id;
    if (sent.outcome === 'refused') await giveBack(uow, item, refusal(sent.reason));
  }
  return null;
}

/** A place whose post cannot go out would stay due for ever: it fails with the reason, and the post is ready again. */
async function giveBack(uow: UnitOfWork, place: QueueItem, failure: Failure): Promise<void> {
  const patch = { failure, finishedAt: await uow.now() };
  await uow.queue.transition(place.id, { fromVersion: place.version, from: place.status, to: 'failed', patch });
  const item = await uow.items.findForUpdate(place.itemId);
  if (item?.state === 'queued') await uow.items.transition(item.id, { fromVersion: item.version, from: 'queued', to: 'ready' });
  const reason = failure.message;
  uow.history.append({ type: 'item.unqueued', subjectId: place.itemId, itemId: place.itemId, state: item?.state ?? null, reason });
}

const refusal = (reason: string): Failure => failureOf('post_not_sendable', { fields: { reason } });
