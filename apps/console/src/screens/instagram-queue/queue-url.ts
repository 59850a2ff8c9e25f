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

interface QueueUrlState {
  filters: QueueFilters;
  setFilters: (change: Partial<QueueFilters>) => void;
  setPage: (page: number) => void;
  view: QueueView;
  /** A day of the visible week or month; `null` means today. */
  day: Day | null;
  go: (to: { view?: QueueView; day?: Day }) => void;
  query: Record<string, string | number>;
}

/** View, day, filters and page in the URL. Changing a filter resets the page to 1. */
export function useQueueUrlState(): QueueUrlState {
  const { fields, page, change, setPage } = useUrlState(DEFAULTS);
  const { view, day, ...filters } = fields;
  return {
    filters,
    setFilters: change,
    setPage,
    view: QUEUE_VIEWS.find((known) => known === view) ?? 'list',
    day: isDay(day) ? day : null,
    go: change,
    query: { ...filters, page, limit: LIMITS.queue.pageSize },
  };
}
