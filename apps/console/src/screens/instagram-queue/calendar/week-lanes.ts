import type { QueueItem } from '@autoposter/contracts';
import { minuteOf } from './calendar-days';

export interface Laid {
  item: QueueItem;
  minute: number;
  /** Its column among those that overlap, and how many there are. */
  lane: number;
  lanes: number;
}

/** Places posts of one day side by side where they lie closer than a chip is high (`chipMinutes`). */
export function laneOut(items: readonly QueueItem[], timeZone: string, chipMinutes: number): Laid[] {
  const rows = items
    .flatMap((item) =>
      item.scheduling.scheduledFor === null ? [] : [{ item, minute: minuteOf(new Date(item.scheduling.scheduledFor), timeZone) }],
    )
    .sort((a, b) => a.minute - b.minute);
  const laid: Laid[] = [];
  let cluster: Laid[] = [];
  let ends: number[] = [];
  const close = () => {
    for (const one of cluster) one.lanes = ends.length;
    cluster = [];
    ends = [];
  };
  for (const row of rows) {
    if (ends.every((end) => end <= row.minute)) close();
    const free = ends.findIndex((end) => end <= row.minute);
    const lane = free === -1 ? ends.length : free;
    ends[lane] = row.minute + chipMinutes;
    const one = { ...row, lane, lanes: 1 };
    cluster.push(one);
    laid.push(one);
  }
  close();
  return laid;
}
