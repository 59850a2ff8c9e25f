import { firstFreeInstant, isBlocked, type TimeBlocking } from './blocked-time';

/** How the queue spaces its posts. Minutes. */
export interface QueuePlan {
  intervalMinutes: number;
  timeBlocking: TimeBlocking;
  randomization: { enabled: boolean; maxDelayMinutes: number };
}

/** A queue item that has no slot yet. */
export interface Unplanned {
  id: string;
  priority: number;
  queuedAt: Date;
}

export interface PlanningGround {
  now: Date;
  /** When the account last published through the queue, `null` if it never did. */
  lastPostAt: Date | null;
  /** Slots that stand: pinned by a person, or given earlier. */
  taken: readonly Date[];
}

const MINUTE_MS = 60_000;

/** Higher priority first, then who came first; the id decides between equals, so that two planners give one answer. */
export function compareInQueue(a: Unplanned, b: Unplanned): number {
  return b.priority - a.priority || a.queuedAt.getTime() - b.queuedAt.getTime() || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);
}

/**
 * The random delay of one item, in milliseconds. It is drawn from the item's id, so that planning again after a change moves an
 * item because of the change and not because the dice fell differently.
 */
export function delayOf(id: string, randomization: QueuePlan['randomization']): number {
  if (!randomization.enabled || randomization.maxDelayMinutes <= 0) return 0;
  let hash = 0x811c9dc5;
  for (let index = 0; index < id.length; index += 1) hash = Math.imul(hash ^ id.charCodeAt(index), 0x01000193);
  // FNV-1a alone leaves neighbouring ids close together in the upper bits; one more round of mixing spreads them.
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  hash ^= hash >>> 13;
  const share = (hash >>> 0) / 0x1_0000_0000;
  return Math.floor(share * randomization.maxDelayMinutes * 60) * 1000;
}

/**
 * One slot: not before now, at least the interval after the last post and away from every taken slot, plus the delay, and outside
 * the blocked hours.
 */
export function nextSlot(plan: QueuePlan, ground: PlanningGround, delayMs: number): Date {
  const intervalMs = plan.intervalMinutes * MINUTE_MS;
  const afterLast = ground.lastPostAt ? ground.lastPostAt.getTime() + intervalMs : 0;
  let earliest = Math.max(ground.now.getTime(), afterLast);
  const taken = ground.taken.map((slot) => slot.getTime()).sort((a, b) => a - b);
  for (;;) {
    const slot = firstFreeInstant(new Date(earliest + delayMs), plan.timeBlocking).getTime();
    const clash = taken.filter((other) => Math.abs(other - slot) < intervalMs).pop();
    if (clash === undefined) return new Date(slot);
    earliest = Math.max(earliest + MINUTE_MS, clash + intervalMs);
  }
}

/** A queue item and the slot that it has, `null` while it has none. */
export interface Waiting extends Unplanned {
  slot: Date | null;
}

/**
 * Gives each item a slot, best first, each keeping its distance from those before it. A slot that an item has is kept as long as it is
 * no later than the one it would get now and still fits: so planning again changes nothing by itself, a removed item's place is closed
 * up, and what comes in front moves the others back.
 */
export function planQueue(plan: QueuePlan, ground: PlanningGround, items: readonly Waiting[]): { id: string; slot: Date }[] {
  const taken = [...ground.taken];
  return [...items].sort(compareInQueue).map((item) => {
    const fresh = nextSlot(plan, { ...ground, taken }, delayOf(item.id, plan.randomization));
    const slot = item.slot !== null && item.slot <= fresh && fits(item.slot, plan, { ...ground, taken }) ? item.slot : fresh;
    taken.push(slot);
    return { id: item.id, slot };
  });
}

function fits(slot: Date, plan: QueuePlan, { lastPostAt, taken }: PlanningGround): boolean {
  const intervalMs = plan.intervalMinutes * MINUTE_MS;
  const afterLast = lastPostAt === null || slot.getTime() - lastPostAt.getTime() >= intervalMs;
  const apart = taken.every((other) => Math.abs(other.getTime() - slot.getTime()) >= intervalMs);
  return afterLast && apart && !isBlocked(slot, plan.timeBlocking);
}
