import { LIMITS, skippedPostsQuerySchema } from '@autoposter/contracts';
import { useSearchParams } from 'react-router-dom';

export interface SkippedFilters {
  subreddit: string;
  skipReason: string;
  dateFrom: string;
  dateTo: string;
  sortBy: string;
  sortOrder: string;
}

export const NO_FILTERS: SkippedFilters = {
  subreddit: '',
  skipReason: '',
  dateFrom: '',
  dateTo: '',
  sortBy: 'skippedAt',
  sortOrder: 'desc',
};
const NAMES = Object.keys(NO_FILTERS) as (keyof SkippedFilters)[];

interface SkippedAddress {
  filters: SkippedFilters;
  page: number;
  /** Whether a filter differs from its default. */
  filtered: boolean;
  setFilters: (change: Partial<SkippedFilters>) => void;
  setPage: (page: number) => void;
  /** What is asked of the server; empty values are left out by the client. */
  query: Record<string, string | number>;
}

/** Filters and page in the address; changing a filter goes back to page 1. */
export function useSkippedAddress(): SkippedAddress {
  const [search, setSearch] = useSearchParams();
  const filters = Object.fromEntries(NAMES.map((name) => [name, search.get(name) ?? NO_FILTERS[name]])) as unknown as SkippedFilters;
  const page = skippedPostsQuerySchema.shape.page.catch(1).parse(search.get('page') ?? 1);
  const write = (next: SkippedFilters, nextPage: number) => {
    const fields = NAMES.filter((name) => next[name] !== NO_FILTERS[name]).map((name): [string, string] => [name, next[name]]);
    if (nextPage > 1) fields.push(['page', String(nextPage)]);
    setSearch(fields, { replace: true });
  };
  return {
    filters,
    page,
    filtered: NAMES.some((name) => filters[name] !== NO_FILTERS[name]),
    setFilters: (change) => write({ ...filters, ...change }, 1),
    setPage: (next) => write(filters, next),
    query: { ...filters, page, limit: LIMITS.skippedPosts.pageSize },
  };
}
