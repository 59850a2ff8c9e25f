import type { PreviewSlot } from '@autoposter/contracts';
import {
  planQueue,
  type QueueSettings,
  explainSlot,
  nextSlot,
  type SlotReason,
  type PlanningContext,
  type Waiting,
  SETTING,
} from '@autoposter/domain';
import type { QueueItem, UnitOfWork, QueueRow } from '@autoposter/persistence';
import { v7 as uuidv7 } from 'uuid';

/**
 * Gives waiting items their slots while the queue runs; pinned ones keep theirs. Answers how many changed. Safe to repeat: without a
 * change nothing is written.
 */
export async function planSlots(uow: UnitOfWork, settings: QueueSettings): Promise<number> {
  if (!settings.running) return 0;
  await lockQueue(uow);
  let changed = 0;
  for (const { item, slot } of await slotChanges(uow, settings, await uow.queue.lockWaiting())) {
    const { id, status, version: fromVersion } = item;
    const patch = { scheduledFor: slot };
    const moved =
      status === 'pending'
        ? await uow.queue.transition(id, { fromVersion, from: 'pending', to: 'scheduled', patch })
        : await uow.queue.patchWaiting(id, patch);
    if (moved) changed += 1;
  }
  if (changed > 0) uow.history.append({ type: 'queue.changed', subjectId: uuidv7(), state: 'planned' });
  return changed;
}

/** Whether planning would change anything by now: looks as often as it likes, for it locks and writes nothing. */
export async function needsPlanning(uow: UnitOfWork, settings: QueueSettings): Promise<boolean> {
  return settings.running && (await slotChanges(uow, settings, await uow.queue.listWaiting())).length > 0;
}

/** Items whose slot is not, or no longer, the one that the plan gives them. */
async function slotChanges(
  uow: UnitOfWork,
  settings: QueueSettings,
  waiting: readonly QueueItem[],
): Promise<{ item: QueueItem; slot: Date }[]> {
  if (waiting.length === 0) return [];
  const { ground, free } = await planningInput(uow, waiting);
  const slots = new Map(planQueue(settings, ground, free.map(toPlan)).map(({ id, slot }) => [id, slot]));
  return free.flatMap((item) => {
    const slot = slots.get(item.id);
    const stands = slot === undefined || (item.status === 'scheduled' && item.scheduledFor?.getTime() === slot.getTime());
    return stands ? [] : [{ item, slot }];
  });
}

/**
 * The next slots as the planner would give them now, soonest first: those of waiting posts, then places that are still free. Reads only.
 */
export async function previewSlots(uow: UnitOfWork, settings: QueueSettings, count: number): Promise<PreviewSlot[]> {
  const rows = await uow.queue.waiting();
  const byId = new Map(rows.map((row) => [row.queueItem.id, row]));
  const { ground, free, fixed } = await planningInput(
    uow,
    rows.map((row) => row.queueItem),
  );
  const show = (row: QueueRow | null, at: Date, why: SlotReason): PreviewSlot => ({
    scheduledFor: at.toISOString(),
    queueItemId: row?.queueItem.id ?? null,
    itemId: row?.queueItem.itemId ?? null,
    title: row?.title ?? null,
    priority: row?.queueItem.priority ?? null,
    pinned: why.basis === 'pinned',
    why: {
      basis: why.basis,
      earliestAt: why.earliestAt.toISOString(),
      intervalMinutes: settings.intervalMinutes,
      randomDelaySeconds: Math.round(why.delayMs / 1000),
      blockedSeconds: Math.round(why.blockedMs / 1000),
      text: explainSlot(why, settings.intervalMinutes),
    },
  });
  const planned = planQueue(settings, ground, free.map(toPlan));
  const slots = [
    ...planned.map(({ id, slot, why }) => show(byId.get(id) ?? null, slot, why)),
    ...fixed.flatMap(({ id, scheduledFor: at }) =>
      at === null ? [] : [show(byId.get(id) ?? null, at, { basis: 'pinned', earliestAt: at, delayMs: 0, blockedMs: 0 })],
    ),
  ];
  let after = planned.at(-1)?.slot ?? null;
  while (slots.length < count) {
    const { at, why } = nextSlot(settings, ground, 0, after);
    slots.push(show(null, at, why));
    after = at;
  }
  return slots.sort((a, b) => a.scheduledFor.localeCompare(b.scheduledFor)).slice(0, count);
}

/** What a plan is made of: the places that it may move, those that stand, and what lies around them. */
export interface Ground {
  ground: PlanningContext;
  free: QueueItem[];
  /** Pinned by a person. */
  fixed: QueueItem[];
}

async function planningInput(uow: UnitOfWork, waiting: readonly QueueItem[]): Promise<Ground> {
  const isFixed = (item: QueueItem) => item.immediate || (item.pinned && item.scheduledFor !== null);
  const fixed = waiting.filter(isFixed);
  const away = (await uow.queue.listPosting()).map((row) => row.queueItem);
  const taken = [...takenSlots(fixed), ...takenSlots(away)];
  const ground = { now: await uow.now(), lastPostAt: await uow.queue.lastPostAt(), taken };
  return { ground, free: waiting.filter((item) => !isFixed(item)), fixed };
}

const toPlan = ({ id, priority, queuedAt, scheduledFor }: QueueItem): Waiting => ({ id, priority, queuedAt, slot: scheduledFor });

/** Places in the plan; what was sent at once takes none. */
export const takenSlots = (items: readonly QueueItem[]): Date[] =>
  items.flatMap((item) => (item.scheduledFor !== null && !item.immediate ? [item.scheduledFor] : []));

/**
 * Whether a post on its way keeps the others back. One that only waits for something of its own does not, nor one of which nobody knows
 * whether it is out: that can take a day to be settled. They keep their distance from both.
 */
export const blocksQueue = ({ queueItem, posting }: QueueRow): boolean => queueItem.outcome === null && posting?.job !== 'waiting';

/** Whether nothing of a place has been sent that cannot be taken back. Where the outcome was unknown once, a person must not guess. */
export const isRemovable = ({ queueItem: { status, outcome }, posting }: QueueRow): boolean =>
  status === 'pending' || status === 'scheduled' || (outcome === null && (posting?.attempt === 'open' || posting?.attempt === 'container'));

/**
 * Waits until no other transaction plans the queue or sends from it. Two that do so at once would not see each other's posts, and two
 * posts would go out side by side.
 */
export async function lockQueue(uow: UnitOfWork): Promise<void> {
  await uow.settings.set(SETTING.queueTurn, (await uow.now()).toISOString());
}
