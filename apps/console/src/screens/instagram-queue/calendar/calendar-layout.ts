import type { QueueItem } from '@autoposter/contracts';
import { type Day, DAY_MINUTES, dayOf, minuteOf } from './calendar-days';
import type { CalendarContext } from './calendar-item';
import type { QueueRules } from './move-rules';
import type { MoveDraft } from './use-move-item';

type ItemsByDay = ReadonlyMap<Day, readonly QueueItem[]>;

interface Shown {
  day: Day;
  rules: QueueRules;
  /** Milliseconds since 1970. */
  now: number;
  context: CalendarContext;
}

export interface ViewProps extends Shown {
  byDay: ItemsByDay;
}

export interface DayProps extends Shown {
  items: readonly QueueItem[];
}

/** Scheduled posts by day, earliest first. Converting a time to a zone is slow, so this happens once per post, not per cell. */
export function groupByDay(items: readonly QueueItem[], timeZone: string): ItemsByDay {
  const days = new Map<Day, QueueItem[]>();
  const timed = items.flatMap((item) => (item.scheduling.scheduledFor === null ? [] : [{ item, at: item.scheduling.scheduledFor }]));
  for (const { item, at } of timed.sort((a, b) => a.at.localeCompare(b.at))) {
    const day = dayOf(new Date(at), timeZone);
    const known = days.get(day);
    if (known === undefined) days.set(day, [item]);
    else known.push(item);
  }
  return days;
}

export const draftOnDay = ({ movement: { draft }, timeZone }: CalendarContext, day: Day): MoveDraft | null =>
  draft !== null && dayOf(draft.at, timeZone) === day ? draft : null;

interface PositionedItem {
  item: QueueItem;
  /** Vertical position in minutes since midnight: its time, or directly below the previous post. */
  minute: number;
}

/** Lays out the posts of one day without overlap; a post is `itemMinutes` high. */
export function layOutDay(items: readonly QueueItem[], timeZone: string, itemMinutes: number): PositionedItem[] {
  const positioned = items
    .filter(({ scheduling }) => scheduling.scheduledFor !== null)
    .map((item): PositionedItem => ({ item, minute: minuteOf(new Date(item.scheduling.scheduledFor ?? 0), timeZone) }))
    .sort((a, b) => a.minute - b.minute);
  let free = 0;
  for (const one of positioned) {
    one.minute = Math.max(one.minute, free);
    free = one.minute + itemMinutes;
  }
  // moves posts that were pushed past midnight back up
  let end = DAY_MINUTES;
  for (const one of positioned.toReversed()) {
    one.minute = Math.max(0, Math.min(one.minute, end - itemMinutes));
    end = one.minute;
  }
  return positioned;
}
