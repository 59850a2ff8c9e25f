import { isBlocked, type QueueSettings } from '@autoposter/domain';
import type { QueueItem, UnitOfWork } from '@autoposter/persistence';
import { startPosting } from '@autoposter/stage-runner';

export interface DispatchGround {
  settings: QueueSettings;
  paused: boolean;
  /** `null` while publishing is not configured. */
  accountId: string | null;
}

const CANDIDATES = 20;

/**
 * Sends the item whose time has come. One at a time: after an outage the others keep their distance. Answers the queue item that went,
 * `null` where none may go now.
 */
export async function dispatchDue(uow: UnitOfWork, { settings, paused, accountId }: DispatchGround): Promise<string | null> {
  if (!settings.running || paused || accountId === null) return null;
  if ((await uow.queue.countPosting()) > 0) return null;
  const due = await uow.queue.lockDue(CANDIDATES);
  if (due.length === 0) return null;
  const now = await uow.now();
  const lastPostAt = await uow.queue.lastPostAt();
  const mayGo = (item: QueueItem): boolean => {
    if (item.pinned || item.immediate) return true;
    const apart = lastPostAt === null || now.getTime() - lastPostAt.getTime() >= settings.intervalMinutes * 60_000;
    return apart && !isBlocked(now, settings.timeBlocking);
  };
  for (const item of due.filter(mayGo)) {
    // An earlier attempt whose outcome nobody knows holds the post back; the ledger would refuse a second one.
    if ((await uow.attempts.findOpenOf(item.itemId)) !== null) continue;
    const sent = await startPosting(uow, item, { accountId, actor: 'clock' });
    if (sent.outcome === 'started') return item.id;
  }
  return null;
}
