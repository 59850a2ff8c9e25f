import { ENVIRONMENT_ACCOUNT_ID, LIMITS, type PreviewSlot } from '@autoposter/contracts';
import {
  accountSetting,
  compareInQueue,
  planQueue,
  type QueueSettings,
  expectedAt,
  explainSlot,
  isHeld,
  nextSlot,
  type RightsCheck,
  type SlotReason,
  type PlanningContext,
  type Waiting,
} from '@autoposter/domain';
import type { UnitOfWork, QueueRow, WaitingItem } from '@autoposter/persistence';
import { v7 as uuidv7 } from 'uuid';
import { stopForBacklog } from './queue-questions';

/** The others get their slot when they come that near. It bounds the work of a run, however long the queue is. */
export const PLANNED_AHEAD = LIMITS.queue.plannedAhead;

/**
 * Assigns slots to waiting items while the queue runs; pinned items keep theirs. Idempotent. Returns the number of changed items, and whether
 * another transaction kept it from changing some. Instead of spacing out more late posts than the queue accepts, it pauses publishing, unless a
 * person just accepted them.
 */
export async function planSlots(
  uow: UnitOfWork,
  settings: QueueSettings,
  accountId = ENVIRONMENT_ACCOUNT_ID,
  accepted = false,
): Promise<{ changed: number; isComplete: boolean }> {
  if (!settings.running) return NOT_PLANNED;
  await lockQueue(uow, accountId);
  if (!accepted && (await stopForBacklog(uow, settings, accountId))) return NOT_PLANNED;
  const changes = await slotChanges(uow, settings, await uow.queue.listWaiting(PLANNED_AHEAD, accountId), accountId);
  const changed = changes.length === 0 ? 0 : await uow.queue.assignSlots(changes);
  if (changed > 0) uow.history.append({ type: 'queue.changed', subjectId: uuidv7(), state: 'planned' });
  return { changed, isComplete: changed === changes.length };
}

const NOT_PLANNED = { changed: 0, isComplete: false };

/** Whether planning would change a slot; takes no locks. While publishing is paused only a new item needs it: late slots would move each minute. */
export async function needsPlanning(
  uow: UnitOfWork,
  settings: QueueSettings,
  paused: boolean,
  accountId = ENVIRONMENT_ACCOUNT_ID,
): Promise<boolean> {
  if (!settings.running) return false;
  const waiting = await uow.queue.listWaiting(PLANNED_AHEAD, accountId);
  if (paused && nearest(waiting).every((item) => item.scheduledFor !== null)) return false;
  return (await slotChanges(uow, settings, waiting, accountId)).length > 0;
}

const isFixed = (item: WaitingItem): boolean => item.immediate || (item.pinned && item.scheduledFor !== null);

/** Whether the planner assigns the slot of an item; a held one keeps its own. */
const isPlannable = (item: WaitingItem): boolean => !isFixed(item) && !isHeld(item);

/** The items whose slot the planner assigns now. */
const nearest = (waiting: readonly WaitingItem[]): WaitingItem[] =>
  waiting.filter(isPlannable).sort(compareInQueue).slice(0, PLANNED_AHEAD);

/** Items that others have overtaken lose their slot until they are near again. */
async function slotChanges(
  uow: UnitOfWork,
  settings: QueueSettings,
  waiting: readonly WaitingItem[],
  accountId: string,
): Promise<{ id: string; version: number; slot: Date | null }[]> {
  if (waiting.length === 0) return [];
  const { ground, planned } = await planningInput(uow, waiting, accountId);
  const slots = new Map(planQueue(settings, ground, planned.map(toPlan)).map(({ id, slot }) => [id, slot]));
  return waiting.flatMap((item) => {
    if (!isPlannable(item)) return [];
    const { id, version, status, scheduledFor } = item;
    const slot = slots.get(id) ?? null;
    const isUnchanged = slot === null ? scheduledFor === null : status === 'scheduled' && scheduledFor?.getTime() === slot.getTime();
    return isUnchanged ? [] : [{ id, version, slot }];
  });
}

/** The next `count` slots in order of time: of waiting items, then free ones. Reads only. */
export async function previewSlots(
  uow: UnitOfWork,
  settings: QueueSettings,
  count: number,
  accountId = ENVIRONMENT_ACCOUNT_ID,
): Promise<PreviewSlot[]> {
  const rows = await uow.queue.waiting(PLANNED_AHEAD, accountId);
  const waiting = rows.map(({ queueItem }) => queueItem);
  const input = await planningInput(uow, waiting, accountId);
  const slots: { id?: string; at: Date; why: SlotReason }[] = [];
  for (const { id, slot, why } of planQueue(settings, input.ground, input.planned.map(toPlan))) slots.push({ id, at: slot, why });
  let after = slots.at(-1)?.at ?? null;
  for (const { id, scheduledFor: at } of input.fixed)
    if (at !== null) slots.push({ id, at, why: { basis: 'pinned', earliestAt: at, delayMs: 0, blockedMs: 0 } });
  while (slots.length < count) {
    const free = nextSlot(settings, input.ground, 0, after);
    slots.push(free);
    after = free.at;
  }
  const byId = new Map(rows.map((row) => [row.queueItem.id, row]));
  return slots
    .sort((a, b) => a.at.getTime() - b.at.getTime())
    .slice(0, count)
    .map(({ id, at, why }) => presentSlot(byId.get(id ?? ''), at, why, settings.intervalMinutes));
}

const presentSlot = (row: QueueRow | undefined, at: Date, why: SlotReason, intervalMinutes: number): PreviewSlot => ({
  scheduledFor: at.toISOString(),
  queueItemId: row?.queueItem.id ?? null,
  itemId: row?.queueItem.itemId ?? null,
  title: row?.title ?? null,
  priority: row?.queueItem.priority ?? null,
  pinned: why.basis === 'pinned',
  why: {
    basis: why.basis,
    earliestAt: why.earliestAt.toISOString(),
    intervalMinutes,
    randomDelaySeconds: Math.round(why.delayMs / 1000),
    blockedSeconds: Math.round(why.blockedMs / 1000),
    text: explainSlot(why, intervalMinutes),
  },
});

interface PlanningInput {
  ground: PlanningContext;
  /** Items whose slot the planner assigns. */
  planned: WaitingItem[];
  /** Pinned and immediate items. */
  fixed: WaitingItem[];
}

async function planningInput(uow: UnitOfWork, waiting: readonly WaitingItem[], accountId: string): Promise<PlanningInput> {
  const fixed = waiting.filter((item) => isFixed(item) && !isHeld(item));
  // the posts behind a held one keep their distance from its place, and do not take it
  const held = waiting.flatMap((item) => (isHeld(item) && item.scheduledFor !== null ? [item.scheduledFor] : []));
  const now = await uow.now();
  const pinned = fixed.flatMap(({ immediate, scheduledFor }) =>
    immediate || scheduledFor === null ? [] : [expectedAt(scheduledFor, now)],
  );
  const taken = [...pinned, ...held, ...takenByPosting(await uow.queue.listPosting(accountId))];
  const ground = { now, lastPostAt: await uow.queue.lastPostAt(accountId), taken };
  return { ground, planned: nearest(waiting), fixed };
}

const toPlan = ({ id, priority, queuedAt, scheduledFor }: WaitingItem): Waiting => ({ id, priority, queuedAt, slot: scheduledFor });

/** When posts in progress count as posted: at their slots, or when they were started if that was later. Immediate ones have no slot of theirs. */
export const takenByPosting = (rows: readonly QueueRow[]): Date[] =>
  rows.flatMap(({ queueItem: { scheduledFor, immediate }, posting }) => {
    if (immediate || scheduledFor === null) return posting ? [posting.startedAt] : [];
    return [posting ? expectedAt(scheduledFor, posting.startedAt) : scheduledFor];
  });

/**
 * Whether a post in progress blocks the next one. One whose container is being prepared does not, and neither does an unknown outcome, which
 * can take a day to reconcile; the interval is kept to both. Before its container a post waits for what the next one needs too, such as the
 * address of the media, but for the copyright check of the files of a carousel.
 */
export const blocksQueue = ({ queueItem, posting }: QueueRow): boolean =>
  queueItem.outcome === null && (posting?.job !== 'waiting' || (posting.attempt === 'open' && !awaitsCheck(posting.rightsCheck)));

/** Whether the platform's copyright check keeps the post back. */
const awaitsCheck = (check: RightsCheck | null): boolean => check !== null && check.releasedBy === undefined;

/** Removable until the first publish call. A post whose outcome was ever unknown may be published and must be reconciled instead. */
export const isRemovable = ({ queueItem: { status, outcome }, posting }: QueueRow): boolean =>
  status === 'pending' ||
  status === 'scheduled' ||
  (outcome === null && posting?.wasCalled === false && (posting.attempt === 'open' || posting.attempt === 'container'));

/** Serialises planning and dispatching of an account. Concurrent transactions would not see each other's posts and could publish two at once. */
export async function lockQueue(uow: UnitOfWork, accountId: string): Promise<void> {
  await uow.settings.set(accountSetting('queueLock', accountId), (await uow.now()).toISOString());
}
