import { SETTING } from '@autoposter/domain';
import type { QueueItem, QueueRow, UnitOfWork } from '@autoposter/persistence';

/** Places in the plan; what was sent at once takes none. */
export const slotsOf = (items: readonly QueueItem[]): Date[] =>
  items.flatMap((item) => (item.scheduledFor !== null && !item.immediate ? [item.scheduledFor] : []));

/**
 * Whether a post on its way keeps the others back. One that only waits for something of its own does not, nor one of which nobody knows
 * whether it is out: that can take a day to be settled. They keep their distance from both.
 */
export const keepsOthersBack = ({ queueItem, posting }: QueueRow): boolean => queueItem.outcome === null && posting?.job !== 'waiting';

/** Whether nothing of a place has been sent that cannot be taken back. Where the outcome was unknown once, a person must not guess. */
export const isRemovable = ({ queueItem: { status, outcome }, posting }: QueueRow): boolean =>
  status === 'pending' || status === 'scheduled' || (outcome === null && (posting?.attempt === 'open' || posting?.attempt === 'container'));

/**
 * Waits until no other transaction plans the queue or sends from it. Two that do so at once would not see each other's posts, and two
 * posts would go out side by side.
 */
export async function takeQueueTurn(uow: UnitOfWork): Promise<void> {
  await uow.settings.set(SETTING.queueTurn, (await uow.now()).toISOString());
}
