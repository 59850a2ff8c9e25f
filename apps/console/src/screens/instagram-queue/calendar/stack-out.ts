import type { QueueItem } from '@autoposter/contracts';
import { DAY_MINUTES, minuteOf } from './calendar-days';

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
