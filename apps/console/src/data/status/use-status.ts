import { api, LIMITS } from '@autoposter/contracts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { call } from '../http/client';
import { keys } from '../http/cache';

/** Posts in each room of the pipeline. */
export const useOverview = () =>
  useQuery({ queryKey: [keys.overview], queryFn: async ({ signal }) => (await call(api.overview.overview, { signal })).data });

/** Failures that nobody has looked at. */
export const useFailures = () =>
  useQuery({ queryKey: [keys.failures], queryFn: async ({ signal }) => (await call(api.overview.failures, { signal })).data });

export function useMarkFailuresSeen() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (ids?: string[]) => call(api.overview.failuresSeen, { body: ids === undefined ? {} : { ids } }),
    onSettled: () =>
      Promise.all([client.invalidateQueries({ queryKey: [keys.failures] }), client.invalidateQueries({ queryKey: [keys.overview] })]),
  });
}

const HEALTH_MS = 30_000;

export const useHealth = () =>
  useQuery({
    queryKey: [keys.health],
    queryFn: async ({ signal }) => (await call(api.health.health, { signal })).data,
    refetchInterval: HEALTH_MS,
    refetchOnWindowFocus: 'always',
  });

export function useClearAll() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => call(api.reddit.clearAll, { timeoutMs: LIMITS.http.clearAllTimeoutMs }),
    onSuccess: () => client.invalidateQueries(),
  });
}
