import type { QueueItem } from '@autoposter/contracts';
import { dayOf, type Day } from './calendar-days';
import type { QueueRules } from './move-rules';
import type { ChipContext } from './queue-chip';
import type { Draft } from './use-mover';

export type ItemsByDay = ReadonlyMap<Day, readonly QueueItem[]>;

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
