import { LIMITS } from '@autoposter/contracts';
import { useAddress } from '../../ui/use-address';

export interface QueueFilters {
  status: string;
  sortBy: string;
  sortOrder: string;
}

const DEFAULTS: QueueFilters = { status: '', sortBy: 'scheduling.scheduledFor', sortOrder: 'asc' };

interface QueueAddress {
  filters: QueueFilters;
  setFilters: (change: Partial<QueueFilters>) => void;
  setPage: (page: number) => void;
  query: Record<string, string | number>;
}

/** Filters and page in the address; changing a filter goes back to page 1. */
export function useQueueAddress(): QueueAddress {
  const { fields, page, change, setPage } = useAddress(DEFAULTS);
  return { filters: fields, setFilters: change, setPage, query: { ...fields, page, limit: LIMITS.queue.pageSize } };
}
