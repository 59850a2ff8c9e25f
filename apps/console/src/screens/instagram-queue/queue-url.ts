import { LIMITS } from '@autoposter/contracts';
import { useUrlState } from '../../ui/use-url-state';
import { type Day, isDay } from './calendar/calendar-days';

export interface QueueFilters {
  status: string;
  sortBy: string;
  sortOrder: string;
}

export const QUEUE_VIEWS = ['list', 'week', 'month'] as const;
export type QueueView = (typeof QUEUE_VIEWS)[number];

const DEFAULTS = { status: '', sortBy: 'scheduling.scheduledFor', sortOrder: 'asc', view: 'list', day: '' };

/** View, day, filters and page in the URL. Changing a filter resets the page to 1. */
export function useQueueUrlState() {
  const { fields, page, change, setPage } = useUrlState(DEFAULTS);
  const { view, day, ...filters } = fields;
  return {
    filters,
    setFilters: (to: Partial<QueueFilters>) => change(to),
    setPage,
    view: QUEUE_VIEWS.find((known) => known === view) ?? 'list',
    /** A day of the visible week or month; `null` means today. */
    day: isDay(day) ? day : null,
    // Otherwise a second click on "Next week" would still see the previous week.
    go: (to: { view?: QueueView; day?: Day }) => change(to, { flushSync: true }),
    query: { ...filters, page, limit: LIMITS.queue.pageSize },
  };
}
