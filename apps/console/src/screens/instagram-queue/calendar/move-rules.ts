import type { QueueItem, QueueStatusView } from '@autoposter/contracts';
import { isBlocked, type TimeBlocking } from '@autoposter/domain';
import { QUEUE_TEXT } from '../../../text/instagram-queue.text';
import { addDays, dayOf, instantAt, minuteOf, type Day } from './calendar-days';

const TEXT = QUEUE_TEXT.move;
const SNAP_MINUTES = 5;
const SNAP_MS = SNAP_MINUTES * 60_000;
/** Where a post without a time lands when only a day was chosen. */
const NOON = 720;

/** The rules of the queue as the calendar needs them; the zone is always named. */
export interface QueueRules {
  blocking: TimeBlocking;
  timeZone: string;
}

export const rulesOf = (status: QueueStatusView | undefined): QueueRules => {
  const blocking = status?.timeBlocking ?? { enabled: false, startTime: '00:00', endTime: '00:00' };
  const timeZone = blocking.timeZone ?? 'UTC';
  return { blocking: { ...blocking, timeZone }, timeZone };
};

/** Why this post cannot be moved at all; `null` when it can. */
export const whyFixed = (item: QueueItem): string | null =>
  item.status === 'pending' || item.status === 'scheduled' ? null : TEXT.fixed[item.status];

/** Why a post cannot go out at this time; `null` when it can. */
export function whyNotAt(at: Date, { blocking, timeZone }: QueueRules, now: number): string | null {
  if (at.getTime() < now) return TEXT.past;
  return isBlocked(at, blocking) ? TEXT.blocked(`${blocking.startTime}–${blocking.endTime}`, timeZone) : null;
}

/** Minutes of the day `[from, until)` in which nothing is published, once or, over midnight, twice. */
export function blockedBands({ blocking }: QueueRules): [from: number, until: number][] {
  const [start = 0, end = 0] = [blocking.startTime, blocking.endTime].map((time) => {
    const [hours = 0, minutes = 0] = time.split(':').map(Number);
    return hours * 60 + minutes;
  });
  if (!blocking.enabled || start === end) return [];
  if (start < end) return [[start, end]];
  return [
    [0, end],
    [start, 1440],
  ].filter(([from = 0, until = 0]) => from < until) as [number, number][];
}

const slotOf = (item: QueueItem): Date | null => (item.scheduling.scheduledFor === null ? null : new Date(item.scheduling.scheduledFor));

/** A day of the month view: the time of day stays. */
export const onDay = (item: QueueItem, day: Day, { timeZone }: QueueRules): Date => {
  const slot = slotOf(item);
  return instantAt(day, slot === null ? NOON : minuteOf(slot, timeZone), timeZone);
};

/** A place of the week view: the nearest five minutes. */
export const onMinute = (day: Day, minute: number, { timeZone }: QueueRules): Date =>
  instantAt(day, Math.min(1440 - SNAP_MINUTES, Math.max(0, Math.round(minute / SNAP_MINUTES) * SNAP_MINUTES)), timeZone);

/** Where a move by keyboard starts: at the post's own time, or at the next five minutes that are free to choose. */
export const startOfMove = (item: QueueItem, now: number): Date => slotOf(item) ?? new Date(Math.ceil((now + SNAP_MS) / SNAP_MS) * SNAP_MS);

const HOUR = 60;
const DAYS: Record<string, number> = { ArrowLeft: -1, ArrowRight: 1 };
const WEEK_MINUTES: Record<string, number> = { ArrowUp: -SNAP_MINUTES, ArrowDown: SNAP_MINUTES, PageUp: -HOUR, PageDown: HOUR };
const MONTH_DAYS: Record<string, number> = { ...DAYS, ArrowUp: -7, ArrowDown: 7, PageUp: -28, PageDown: 28 };

/** The place after a key was pressed; `null` for keys that move nothing. Days keep the time on the clock, also when clocks change. */
export function afterKey(at: Date, key: string, view: 'week' | 'month', { timeZone }: QueueRules): Date | null {
  const days = view === 'month' ? MONTH_DAYS[key] : DAYS[key];
  const [day, minute] = [dayOf(at, timeZone), minuteOf(at, timeZone)];
  if (days !== undefined) return instantAt(addDays(day, days), minute, timeZone);
  const minutes = view === 'week' ? WEEK_MINUTES[key] : undefined;
  if (minutes === undefined) return null;
  const rounded = Math.round((minute + minutes) / SNAP_MINUTES) * SNAP_MINUTES;
  if (rounded < 0) return instantAt(addDays(day, -1), rounded + 1440, timeZone);
  return rounded >= 1440 ? instantAt(addDays(day, 1), rounded - 1440, timeZone) : instantAt(day, rounded, timeZone);
}
