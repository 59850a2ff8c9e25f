import { api, LIMITS } from '@autoposter/contracts';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { call } from '../http/client';
import { keys } from '../http/keys';

export const useQueueStatus = () =>
  useQuery({
    queryKey: [keys.queue, 'status'],
    queryFn: async ({ signal }) => (await call(api.instagramQueue.status, { signal })).data,
    refetchInterval: LIMITS.polling.queueStatusMs,
    refetchOnWindowFocus: 'always',
  });

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
