import { firstFreeInstant, isBlocked, type TimeBlocking } from './zoned-time';

/** How the queue spaces its posts, in minutes. */
export interface QueuePlan {
  intervalMinutes: number;
  timeBlocking: TimeBlocking;
  randomization: { enabled: boolean; maxDelayMinutes: number };
}

/** A queue item that has no slot yet. */
interface Unplanned {
  id: string;
  priority: number;
  queuedAt: Date;
}

export interface PlanningContext {
  now: Date;
  /** When the account last published through the queue, `null` for never. */
  lastPostAt: Date | null;
  /** Fixed slots: pinned by a person, or assigned earlier. */
  taken: readonly Date[];
}

const MINUTE_MS = 60_000;

/** Posts within seconds of each other look automated, even if an administrator pinned both to the same time. */
export const PINNED_APART_MS = MINUTE_MS;

/** Higher priority first, then first in; the id breaks ties, so that two planners agree. */
export function compareInQueue(a: Unplanned, b: Unplanned): number {
  return b.priority - a.priority || a.queuedAt.getTime() - b.queuedAt.getTime() || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);
}

/** The random delay of one item, in milliseconds. Derived from its id, so that replanning moves an item only because something changed. */
export function delayOf(id: string, randomization: QueuePlan['randomization']): number {
  if (!randomization.enabled || randomization.maxDelayMinutes <= 0) return 0;
  let hash = 0x811c9dc5;
  for (let index = 0; index < id.length; index += 1) hash = Math.imul(hash ^ id.charCodeAt(index), 0x01000193);
  // FNV-1a alone leaves similar ids close together in the upper bits; another round of mixing spreads them
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  hash ^= hash >>> 13;
  const share = (hash >>> 0) / 0x1_0000_0000;
  return Math.floor(share * randomization.maxDelayMinutes * 60) * 1000;
}

/** The reason of a slot: `at` = `earliestAt` + `delayMs` + `blockedMs`, except for pinned and kept slots. */
export interface SlotReason {
  /** `now`: no other post is near; `interval`: the distance to another post; `kept`: assigned earlier, and still fits. */
  basis: 'now' | 'interval' | 'pinned' | 'kept';
  earliestAt: Date;
  delayMs: number;
  /** By how much blocked hours moved it. */
  blockedMs: number;
}

interface Slot {
  at: Date;
  why: SlotReason;
}

/**
 * One slot: not in the past, at least the interval after the last post and away from every taken slot, plus the delay, and outside the
 * blocked hours. `after` is the slot of the previous item of the queue, which the new slot does not overtake.
 */
export function nextSlot(plan: QueuePlan, context: PlanningContext, delayMs: number, after: Date | null = null): Slot {
  const intervalMs = plan.intervalMinutes * MINUTE_MS;
  const now = context.now.getTime();
  let earliest = Math.max(now, ...[context.lastPostAt, after].map((post) => (post === null ? 0 : post.getTime() + intervalMs)));
  for (;;) {
    const wanted = earliest + delayMs;
    const slot = firstFreeInstant(new Date(wanted), plan.timeBlocking).getTime();
    const clash = Math.max(...context.taken.map((other) => other.getTime()).filter((other) => Math.abs(other - slot) < intervalMs));
    if (Number.isFinite(clash)) {
      earliest = Math.max(earliest + MINUTE_MS, clash + intervalMs);
      continue;
    }
    const basis = earliest === now ? 'now' : 'interval';
    return { at: new Date(slot), why: { basis, earliestAt: new Date(earliest), delayMs, blockedMs: slot - wanted } };
  }
}

/** A queue item and its slot, `null` while it has none. */
export interface Waiting extends Unplanned {
  slot: Date | null;
}

/**
 * The earliest time at which a post with the slot `slot` can be published: not before now if it is late. Rounded up, so that a late queue is planned again
 * once a minute and not at each run; less than a minute is the usual delay of dispatching.
 */
export function expectedAt(slot: Date, now: Date): Date {
  if (now.getTime() - slot.getTime() < MINUTE_MS) return slot;
  return new Date(Math.ceil(now.getTime() / MINUTE_MS) * MINUTE_MS);
}

/**
 * Assigns a slot to each item in queue order: each keeps its distance from earlier items and does not overtake them. An item keeps its
 * present slot while that is not later than a new one and still fits. So replanning without a change changes nothing, a removed item's slot
 * is filled, and a new item in front moves the others back. Behind a late item the others are spaced from now.
 */
export function planQueue(
  plan: QueuePlan,
  context: PlanningContext,
  items: readonly Waiting[],
): { id: string; slot: Date; why: SlotReason }[] {
  let before: Date | null = null;
  return [...items].sort(compareInQueue).map((item) => {
    const delayMs = delayOf(item.id, plan.randomization);
    const fresh: Slot = nextSlot(plan, context, delayMs, before);
    const keeps = item.slot !== null && item.slot < fresh.at && fits(item.slot, plan, context, before);
    const slot: Date = keeps && item.slot !== null ? item.slot : fresh.at;
    before = expectedAt(slot, context.now);
    return { id: item.id, slot, why: keeps ? { basis: 'kept', earliestAt: slot, delayMs: 0, blockedMs: 0 } : fresh.why };
  });
}

function fits(slot: Date, plan: QueuePlan, { lastPostAt, taken }: PlanningContext, before: Date | null): boolean {
  const intervalMs = plan.intervalMinutes * MINUTE_MS;
  const afterPosts = [lastPostAt, before].every((post) => post === null || slot.getTime() - post.getTime() >= intervalMs);
  const apart = taken.every((other) => Math.abs(other.getTime() - slot.getTime()) >= intervalMs);
  return afterPosts && apart && !isBlocked(slot, plan.timeBlocking);
}

/** The reason of a slot in one sentence: what set it, the random delay, the blocked hours. */
export function explainSlot({ basis, delayMs, blockedMs }: SlotReason, intervalMinutes: number): string {
  if (basis === 'pinned') return 'A person chose this time.';
  if (basis === 'kept') return 'It was given this time earlier, and it still fits.';
  const start = basis === 'now' ? 'No post is before it' : `${intervalMinutes} minutes after the post before it`;
  const delay = delayMs > 0 ? `, plus ${duration(delayMs)} at random` : '';
  const blocked = blockedMs > 0 ? `, moved by ${duration(blockedMs)} out of the blocked hours` : '';
  return `${start}${delay}${blocked}.`;
}

function duration(ms: number): string {
  const minutes = Math.round(ms / MINUTE_MS);
  if (minutes === 0) return 'less than a minute';
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  const words = [
    ...(hours > 0 ? [`${hours} ${hours === 1 ? 'hour' : 'hours'}`] : []),
    ...(rest > 0 ? [`${rest} ${rest === 1 ? 'minute' : 'minutes'}`] : []),
  ];
  return words.join(' ');
}

/** When a subreddit is due again after a run that started at `startedAt`. Missed runs are not repeated: a past time becomes `now`. */
export function nextRun(startedAt: Date, intervalMinutes: number, now: Date): Date {
  return new Date(Math.max(startedAt.getTime() + intervalMinutes * MINUTE_MS, now.getTime()));
}
