import { api, LIMITS } from '@autoposter/contracts';
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { call } from '../http/client';
import { keys } from '../http/keys';

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
