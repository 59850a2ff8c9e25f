import type { PlanningGround, Waiting } from '@autoposter/domain';
import type { QueueItem, UnitOfWork } from '@autoposter/persistence';
import { slotsOf } from './on-the-way';

/** What a plan is made of: the places that it may move, those that stand, and what lies around them. */
export interface Ground {
  ground: PlanningGround;
  free: QueueItem[];
  /** Pinned by a person. */
  fixed: QueueItem[];
}

export async function groundOf(uow: UnitOfWork, waiting: readonly QueueItem[]): Promise<Ground> {
  const isFixed = (item: QueueItem) => item.immediate || (item.pinned && item.scheduledFor !== null);
  const fixed = waiting.filter(isFixed);
  const away = (await uow.queue.listPosting()).map((row) => row.queueItem);
  const taken = [...slotsOf(fixed), ...slotsOf(away)];
  const ground = { now: await uow.now(), lastPostAt: await uow.queue.lastPostAt(), taken };
  return { ground, free: waiting.filter((item) => !isFixed(item)), fixed };
}

export const toPlan = ({ id, priority, queuedAt, scheduledFor }: QueueItem): Waiting => ({ id, priority, queuedAt, slot: scheduledFor });
