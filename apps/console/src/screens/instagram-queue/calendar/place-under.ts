import type { QueueItem } from '@autoposter/contracts';
import { DAY_MINUTES } from './calendar-days';
import { onDay, onMinute, type QueueRules } from './move-rules';

interface Held {
  item: QueueItem;
  view: 'week' | 'month';
  rules: QueueRules;
}

/** The time under the pointer: `top` is where the upper edge of what is held lies; `null` beside the calendar. */
export function placeUnder(x: number, top: number, y: number, { item, view, rules }: Held): Date | null {
  const cell = document
    .elementsFromPoint(x, y)
    .map((element) => element.closest<HTMLElement>('[data-day]'))
    .find((found) => found !== null);
  const day = cell?.dataset['day'];
  if (cell === undefined || day === undefined) return null;
  if (view === 'month') return onDay(item, day, rules);
  const frame = cell.getBoundingClientRect();
  return onMinute(day, ((top - frame.top) / frame.height) * DAY_MINUTES, rules);
}
