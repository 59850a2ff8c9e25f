import type { QueueItem, QueueStatusView } from '@autoposter/contracts';
import { isBlocked, type TimeBlocking } from '@autoposter/domain';
import { QUEUE_TEXT } from '../../../text/instagram-queue.text';
import { addDays, dayOf, instantAt, minuteOf, type Day } from './calendar-days';

const TEXT = QUEUE_TEXT.move;
const SNAP_MINUTES = 5;
const MINUTE_MS = 60_000;
const SNAP_MS = SNAP_MINUTES * MINUTE_MS;
/** Time of an unscheduled post that is dropped on a day. */
const NOON = 720;

/** The queue's rules for the calendar; the time zone is always set. */
export interface QueueRules {
  blocking: TimeBlocking;
  timeZone: string;
}

export const rulesOf = (status: QueueStatusView | undefined): QueueRules => {
  const blocking = status?.timeBlocking ?? { enabled: false, startTime: '00:00', endTime: '00:00' };
  const timeZone = blocking.timeZone ?? 'UTC';
  return { blocking: { ...blocking, timeZone }, timeZone };
};

/** Why this post cannot be moved; `null` if it can. */
export const immovableReason = (item: QueueItem): string | null =>
  item.status === 'pending' || item.status === 'scheduled' ? null : TEXT.fixed[item.status];

/** Why a post cannot be scheduled at this time; `null` if it can. */
export function refusalAt(at: Date, { blocking, timeZone }: QueueRules, now: number): string | null {
  if (at.getTime() < now) return TEXT.past;
  return isBlocked(at, blocking) ? TEXT.blocked(`${blocking.startTime}–${blocking.endTime}`, timeZone) : null;
}

/** Blocked minutes of the day as `[from, until)`; two bands if they cross midnight. */
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

/** Drop on a day of the month view; the time of day is kept. */
export const dropOnDay = (item: QueueItem, day: Day, { timeZone }: QueueRules): Date => {
  const slot = slotOf(item);
  return instantAt(day, slot === null ? NOON : minuteOf(slot, timeZone), timeZone);
};

/** Drop in the week view, rounded to five minutes. */
export const dropOnMinute = (day: Day, minute: number, { timeZone }: QueueRules): Date =>
  instantAt(day, Math.min(1440 - SNAP_MINUTES, Math.max(0, Math.round(minute / SNAP_MINUTES) * SNAP_MINUTES)), timeZone);

/** Start of a keyboard move: the post's time, or the next full five minutes. */
export const startOfMove = (item: QueueItem, now: number): Date => slotOf(item) ?? new Date(Math.ceil((now + SNAP_MS) / SNAP_MS) * SNAP_MS);

const HOUR = 60;
const DAYS: Record<string, number> = { ArrowLeft: -1, ArrowRight: 1 };
const WEEK_MINUTES: Record<string, number> = { ArrowUp: -SNAP_MINUTES, ArrowDown: SNAP_MINUTES, PageUp: -HOUR, PageDown: HOUR };
const MONTH_DAYS: Record<string, number> = { ...DAYS, ArrowUp: -7, ArrowDown: 7, PageUp: -28, PageDown: 28 };

/**
 * The time after a key press; `null` for other keys. Moving by days keeps the wall-clock time across a DST change. Moving by minutes does not,
 * so that it passes the hour that a change skips, and reaches both of an hour that occurs twice.
 */
export function afterKeyPress(at: Date, key: string, view: 'week' | 'month', { timeZone }: QueueRules): Date | null {
  const days = view === 'month' ? MONTH_DAYS[key] : DAYS[key];
  const [day, minute] = [dayOf(at, timeZone), minuteOf(at, timeZone)];
  if (days !== undefined) return instantAt(addDays(day, days), minute, timeZone);
  const minutes = view === 'week' ? WEEK_MINUTES[key] : undefined;
  if (minutes === undefined) return null;
  return new Date(Math.round((at.getTime() + minutes * MINUTE_MS) / SNAP_MS) * SNAP_MS);
}
