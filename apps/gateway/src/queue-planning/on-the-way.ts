import { MAX_PAGE_SIZE } from '@autoposter/contracts';
import { SETTING } from '@autoposter/domain';
import type { QueueItem, UnitOfWork } from '@autoposter/persistence';

/** Queue items that are being published, or of which nobody knows whether they were. */
export async function onTheWay(uow: UnitOfWork): Promise<QueueItem[]> {
  const query = { status: 'posting', page: 1, limit: MAX_PAGE_SIZE, sortBy: 'scheduling.scheduledFor', sortOrder: 'asc' } as const;
  return (await uow.queue.page(query)).rows.map((row) => row.queueItem);
}

/** Their places in the plan; what was sent at once takes none. */
export const slotsOf = (items: readonly QueueItem[]): Date[] =>
  items.flatMap((item) => (item.scheduledFor !== null && !item.immediate ? [item.scheduledFor] : []));

/**
 * Waits until no other transaction plans the queue or sends from it. Two that do so at once would not see each other's posts, and two
 * posts would go out side by side.
 */
export async function takeQueueTurn(uow: UnitOfWork): Promise<void> {
  await uow.settings.set(SETTING.queueTurn, (await uow.now()).toISOString());
}
