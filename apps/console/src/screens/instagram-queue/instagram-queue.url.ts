import { LIMITS, queueQuerySchema } from '@autoposter/contracts';
import { useSearchParams } from 'react-router-dom';

export interface QueueFilters {
  status: string;
  sortBy: string;
  sortOrder: string;
}

const DEFAULTS: QueueFilters = { status: '', sortBy: 'scheduling.scheduledFor', sortOrder: 'asc' };
const NAMES = Object.keys(DEFAULTS) as (keyof QueueFilters)[];

interface QueueAddress {
  filters: QueueFilters;
  setFilters: (change: Partial<QueueFilters>) => void;
  setPage: (page: number) => void;
  query: Record<string, string | number>;
}

/** Filters and page in the address; changing a filter goes back to page 1. */
export function useQueueAddress(): QueueAddress {
  const [search, setSearch] = useSearchParams();
  const filters = Object.fromEntries(NAMES.map((name) => [name, search.get(name) ?? DEFAULTS[name]])) as unknown as QueueFilters;
  const page = queueQuerySchema.shape.page.catch(1).parse(search.get('page') ?? 1);
  const write = (next: QueueFilters, nextPage: number) => {
    const fields = NAMES.filter((name) => next[name] !== DEFAULTS[name]).map((name): [string, string] => [name, next[name]]);
    if (nextPage > 1) fields.push(['page', String(nextPage)]);
    setSearch(fields, { replace: true });
  };
  return {
    filters,
    setFilters: (change) => write({ ...filters, ...change }, 1),
    setPage: (next) => write(filters, next),
    query: { ...filters, page, limit: LIMITS.queue.pageSize },
  };
}
