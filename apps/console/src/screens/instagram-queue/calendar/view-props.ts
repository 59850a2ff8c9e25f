import type { QueueItem } from '@autoposter/contracts';
import { dayOf, type Day } from './calendar-days';
import type { QueueRules } from './move-rules';
import type { ChipContext } from './queue-chip';

export interface ViewProps {
  day: Day;
  items: readonly QueueItem[];
  rules: QueueRules;
  /** Milliseconds since 1970. */
  now: number;
  context: ChipContext;
}

/** The posts of a day, earliest first. */
export const itemsOn = (items: readonly QueueItem[], day: Day, timeZone: string): QueueItem[] =>
  items
    .filter(({ scheduling }) => scheduling.scheduledFor !== null && dayOf(new Date(scheduling.scheduledFor), timeZone) === day)
    .sort((a, b) => (a.scheduling.scheduledFor ?? '').localeCompare(b.scheduling.scheduledFor ?? ''));
