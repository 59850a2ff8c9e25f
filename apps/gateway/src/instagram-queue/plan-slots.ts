import type { PreviewSlot } from '@autoposter/contracts';
import {
  planQueue,
  type QueueSettings,
  expectedAt,
  explainSlot,
  nextSlot,
  type SlotReason,
  type PlanningContext,
  type Waiting,
  SETTING,
} from '@autoposter/domain';
import type { QueueItem, UnitOfWork, QueueRow } from '@autoposter/persistence';
import { v7 as uuidv7 } from 'uuid';

/** Assigns slots to waiting items while the queue runs; pinned items keep theirs. Idempotent. Returns the number of changed items. */
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

/** Whether planning would change a slot; takes no locks. While publishing is paused only a new item needs it: late slots would move each minute. */
export async function needsPlanning(uow: UnitOfWork, settings: QueueSettings, paused: boolean): Promise<boolean> {
  if (!settings.running) return false;
  const waiting = await uow.queue.listWaiting();
  if (paused && waiting.every((item) => item.scheduledFor !== null)) return false;
  return (await slotChanges(uow, settings, waiting)).length > 0;
}

async function slotChanges(
  uow: UnitOfWork,
  settings: QueueSettings,
  waiting: readonly QueueItem[],
): Promise<{ item: QueueItem; slot: Date }[]> {
  if (waiting.length === 0) return [];
  const { ground, planned } = await planningInput(uow, waiting);
  const slots = new Map(planQueue(settings, ground, planned.map(toPlan)).map(({ id, slot }) => [id, slot]));
  return planned.flatMap((item) => {
    const slot = slots.get(item.id);
    const isUnchanged = slot === undefined || (item.status === 'scheduled' && item.scheduledFor?.getTime() === slot.getTime());
    return isUnchanged ? [] : [{ item, slot }];
  });
}

/** The next slots in order of time: those of waiting items, then free ones. Reads only. */
export async function previewSlots(uow: UnitOfWork, settings: QueueSettings, count: number): Promise<PreviewSlot[]> {
  const rows = await uow.queue.waiting();
  const byId = new Map(rows.map((row) => [row.queueItem.id, row]));
  const {
    ground,
    planned: open,
    fixed,
  } = await planningInput(
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
  const planned = planQueue(settings, ground, open.map(toPlan));
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

interface PlanningInput {
  ground: PlanningContext;
  /** Items whose slot the planner assigns. */
  planned: QueueItem[];
  /** Pinned and immediate items. */
  fixed: QueueItem[];
}

async function planningInput(uow: UnitOfWork, waiting: readonly QueueItem[]): Promise<PlanningInput> {
  const isFixed = (item: QueueItem) => item.immediate || (item.pinned && item.scheduledFor !== null);
  const fixed = waiting.filter(isFixed);
  const now = await uow.now();
  const pinned = fixed.flatMap(({ immediate, scheduledFor }) =>
    immediate || scheduledFor === null ? [] : [expectedAt(scheduledFor, now)],
  );
  const taken = [...pinned, ...takenByPosting(await uow.queue.listPosting())];
  const ground = { now, lastPostAt: await uow.queue.lastPostAt(), taken };
  return { ground, planned: waiting.filter((item) => !isFixed(item)), fixed };
}

const toPlan = ({ id, priority, queuedAt, scheduledFor }: QueueItem): Waiting => ({ id, priority, queuedAt, slot: scheduledFor });

/** When posts in progress count as posted: at their slots, or when they were started if that was later. Immediate ones take no slot. */
export const takenByPosting = (rows: readonly QueueRow[]): Date[] =>
  rows.flatMap(({ queueItem: { scheduledFor, immediate }, posting }) => {
    if (immediate || scheduledFor === null) return [];
    return [posting ? expectedAt(scheduledFor, posting.startedAt) : scheduledFor];
  });

/**
 * Whether a post in progress blocks the next one. A waiting job does not, and neither does an unknown outcome, which can take a day to
 * reconcile; the interval is kept to both.
 */
export const blocksQueue = ({ queueItem, posting }: QueueRow): boolean => queueItem.outcome === null && posting?.job !== 'waiting';

/** Removable until the first publish call. A post whose outcome was ever unknown may be published and must be reconciled instead. */
export const isRemovable = ({ queueItem: { status, outcome }, posting }: QueueRow): boolean =>
  status === 'pending' ||
  status === 'scheduled' ||
  (outcome === null && posting?.wasCalled === false && (posting.attempt === 'open' || posting.attempt === 'container'));

/** Serialises planning and dispatching. Concurrent transactions would not see each other's posts and could publish two at once. */
export async function lockQueue(uow: UnitOfWork): Promise<void> {
  await uow.settings.set(SETTING.queueTurn, (await uow.now()).toISOString());
}
