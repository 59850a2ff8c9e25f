import { LIMITS } from '@autoposter/contracts';
import { useUrlState } from '../../ui/use-url-state';

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
  const { fields, page, changed, change, setPage } = useUrlState(NO_FILTERS);
  return {
    filters: fields,
    page,
    filtered: changed,
    setFilters: change,
    setPage,
    query: { ...fields, page, limit: LIMITS.skippedPosts.pageSize },
  };
}
