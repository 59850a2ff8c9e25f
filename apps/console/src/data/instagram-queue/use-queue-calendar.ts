import { api, type QueueItem, type QueueStatus } from '@autoposter/contracts';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { call } from '../http/client';
import { keys } from '../http/keys';

const PAGE = 200;
/** Pages that are read of each status: further than anybody plans ahead. */
const MAX_PAGES: Partial<Record<QueueStatus, number>> = { pending: 1, scheduled: 5, posting: 1, posted: 2, failed: 1 };
const NEWEST_FIRST: readonly QueueStatus[] = ['posted', 'failed'];

export interface QueueCalendarData {
  posts: QueueItem[];
  /** Whether some were left out because there are more than a calendar shows. */
  cut: boolean;
}

async function allOf(status: QueueStatus, pages: number, signal: AbortSignal): Promise<QueueCalendarData> {
  const posts: QueueItem[] = [];
  const sortOrder = NEWEST_FIRST.includes(status) ? 'desc' : 'asc';
  for (let page = 1; page <= pages; page += 1) {
    const query = { status, sortBy: 'scheduling.scheduledFor', sortOrder, page, limit: PAGE };
    const { data } = await call(api.instagramQueue.list, { query, signal });
    posts.push(...data.posts);
    if (!data.pagination.hasNextPage) return { posts, cut: false };
  }
  return { posts, cut: true };
}

/** What a calendar draws: all that waits, and what went out or failed lately. */
export const useQueueCalendar = () =>
  useQuery({
    queryKey: [keys.queue, 'calendar'],
    queryFn: async ({ signal }): Promise<QueueCalendarData> => {
      const asked = Object.entries(MAX_PAGES).map(([status, pages]) => allOf(status as QueueStatus, pages, signal));
      const parts = await Promise.all(asked);
      return { posts: parts.flatMap((part) => part.posts), cut: parts.some((part) => part.cut) };
    },
    placeholderData: keepPreviousData,
  });
