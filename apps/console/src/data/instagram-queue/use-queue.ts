import { api, LIMITS, type QueueItem, type QueueStatus } from '@autoposter/contracts';
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { call } from '../http/client';
import { keys } from '../http/cache';

/** As many slots as the server tells at most. */
const PREVIEWED = 100;

const status = queryOptions({
  queryKey: [keys.queue, 'status'],
  queryFn: async ({ signal }) => (await call(api.instagramQueue.status, { signal })).data,
});

export const useQueueStatus = () =>
  useQuery({
    ...status,
    refetchInterval: LIMITS.polling.queueStatusMs,
    refetchOnWindowFocus: 'always',
  });

/** The zone in which the server reads days and hours; UTC until it is known. */
export const useQueueZone = (): string => useQuery(status).data?.timeBlocking.timeZone ?? 'UTC';

export const useQueueStatistics = () =>
  useQuery({
    queryKey: [keys.queue, 'statistics'],
    queryFn: async ({ signal }) => (await call(api.instagramQueue.statistics, { signal })).data,
    refetchInterval: LIMITS.polling.queueStatisticsMs,
    refetchOnWindowFocus: 'always',
  });

export const useQueue = (query: Record<string, string | number | undefined>) =>
  useQuery({
    queryKey: [keys.queue, 'list', query],
    queryFn: async ({ signal }) => (await call(api.instagramQueue.list, { query, signal })).data,
    placeholderData: keepPreviousData,
  });

/** The coming slots and why each lies where it lies; asked for only while somebody wants to know. */
export const useQueuePreview = (wanted: boolean) =>
  useQuery({
    queryKey: [keys.queue, 'preview'],
    queryFn: async ({ signal }) => (await call(api.instagramQueue.preview, { query: { count: PREVIEWED }, signal })).data,
    enabled: wanted,
  });

/** When the last post that has a time goes out, or null. */
export const useLastSlot = () =>
  useQuery({
    queryKey: [keys.queue, 'last'],
    queryFn: async ({ signal }) => {
      const query = { status: 'scheduled', sortBy: 'scheduling.scheduledFor', sortOrder: 'desc', page: 1, limit: 1 };
      return (await call(api.instagramQueue.list, { query, signal })).data.posts[0]?.scheduling.scheduledFor ?? null;
    },
  });

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

export interface DayCount {
  /** Midnight of the reader's day, in milliseconds since 1970. */
  from: number;
  posted: number;
  failed: number;
}

const DAYS = 7;
/** More posts than a week can hold: the queue's shortest interval is half an hour. */
const MAX_WEEK_PAGES = 2;

const timeOf = ({ scheduling }: QueueItem): number => Date.parse(scheduling.scheduledFor ?? scheduling.queuedAt);

async function since(status: 'posted' | 'failed', from: number, signal: AbortSignal): Promise<number[]> {
  const times: number[] = [];
  for (let page = 1; page <= MAX_WEEK_PAGES; page += 1) {
    const query = { status, sortBy: 'scheduling.scheduledFor', sortOrder: 'desc', page, limit: PAGE };
    const { data } = await call(api.instagramQueue.list, { query, signal });
    times.push(...data.posts.map(timeOf));
    if (!data.pagination.hasNextPage || Math.min(...times) < from) break;
  }
  return times.filter((time) => time >= from);
}

/** The beginning of each of the last seven days, today included, by the reader's clock. */
export const lastDays = (now: Date): number[] =>
  Array.from({ length: DAYS }, (_none, index) => new Date(now.getFullYear(), now.getMonth(), now.getDate() - (DAYS - 1 - index)).getTime());

/** How many posts went out and how many failed on each of the last seven days, by the time of their slot. */
export const useWeek = () =>
  useQuery({
    queryKey: [keys.queue, 'week'],
    queryFn: async ({ signal }): Promise<DayCount[]> => {
      const days = lastDays(new Date());
      const [posted, failed] = await Promise.all([since('posted', days[0] ?? 0, signal), since('failed', days[0] ?? 0, signal)]);
      const within = (times: number[], index: number) =>
        times.filter((time) => time >= (days[index] ?? 0) && time < (days[index + 1] ?? Infinity)).length;
      return days.map((from, index) => ({ from, posted: within(posted, index), failed: within(failed, index) }));
    },
  });
