import { api, LIMITS } from '@autoposter/contracts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { keys, useInvalidate } from '../http/cache';
import { call } from '../http/client';

/** Item counts per pipeline stage. */
export const useOverview = () =>
  useQuery({ queryKey: [keys.overview], queryFn: async ({ signal }) => (await call(api.overview.overview, { signal })).data });

/** Unseen failures. */
export const useFailures = () =>
  useQuery({ queryKey: [keys.failures], queryFn: async ({ signal }) => (await call(api.overview.failures, { signal })).data });

export const useMarkFailuresSeen = () =>
  useMutation({
    mutationFn: (ids?: string[]) => call(api.overview.failuresSeen, { body: ids === undefined ? {} : { ids } }),
    onSettled: useInvalidate(keys.failures, keys.overview),
  });

const HEALTH_REFRESH_MS = 30_000;

export const useHealth = () =>
  useQuery({
    queryKey: [keys.health],
    queryFn: async ({ signal }) => (await call(api.health.health, { signal })).data,
    refetchInterval: HEALTH_REFRESH_MS,
    refetchOnWindowFocus: 'always',
  });

export function useClearAll() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => call(api.reddit.clearAll, { timeoutMs: LIMITS.http.clearAllTimeoutMs }),
    onSuccess: () => client.invalidateQueries(),
  });
}
