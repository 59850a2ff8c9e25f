import type { QueueItem } from '@autoposter/contracts';
import { type Day, DAY_MINUTES, dayOf, minuteOf } from './calendar-days';
import type { ChipContext } from './calendar-item';
import type { QueueRules } from './move-rules';
import type { Draft } from './use-move-item';

type ItemsByDay = ReadonlyMap<Day, readonly QueueItem[]>;

interface Shown {
  day: Day;
  rules: QueueRules;
  /** Milliseconds since 1970. */
  now: number;
  context: ChipContext;
}

/** A week or a month: the one in which `day` lies. */
export interface ViewProps extends Shown {
  byDay: ItemsByDay;
}

/** One day with its posts. */
export interface DayProps extends Shown {
  items: readonly QueueItem[];
}

/** The posts that have a time under their day, earliest first. Reading a clock in a zone is slow: once for each post, not for each cell. */
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

/** What is being moved, while it is over this day. */
export const draftOn = ({ mover: { draft }, timeZone }: ChipContext, day: Day): Draft | null =>
  draft !== null && dayOf(draft.at, timeZone) === day ? draft : null;

interface Laid {
  item: QueueItem;
  /** Where the post is drawn, in minutes since midnight: its time, or just below the one before it. */
  minute: number;
}

/** Places the posts of one day below each other where they lie closer than a chip is high (`chipMinutes`). */
export function stackOut(items: readonly QueueItem[], timeZone: string, chipMinutes: number): Laid[] {
  const laid = items
    .filter(({ scheduling }) => scheduling.scheduledFor !== null)
    .map((item): Laid => ({ item, minute: minuteOf(new Date(item.scheduling.scheduledFor ?? 0), timeZone) }))
    .sort((a, b) => a.minute - b.minute);
  let free = 0;
  for (const one of laid) {
    one.minute = Math.max(one.minute, free);
    free = one.minute + chipMinutes;
  }
  // what was pushed over the end of the day goes back up
  let end = DAY_MINUTES;
  for (const one of laid.toReversed()) {
    one.minute = Math.max(0, Math.min(one.minute, end - chipMinutes));
    end = one.minute;
  }
  return laid;
}
