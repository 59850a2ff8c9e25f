import { api, LIMITS } from '@autoposter/contracts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { keys, useChange } from '../http/cache';
import { call, fetchData } from '../http/client';

export const useOverview = () => useQuery({ queryKey: [keys.overview], queryFn: fetchData(api.overview.overview) });

export const useFailures = () => useQuery({ queryKey: [keys.failures], queryFn: fetchData(api.overview.failures) });

export const useMarkFailuresSeen = () =>
  useChange(
    (ids?: string[]) => call(api.overview.failuresSeen, { body: ids === undefined ? {} : { ids } }),
    [keys.failures, keys.overview],
  );

const HEALTH_REFRESH_MS = 30_000;

export const useHealth = () =>
  useQuery({
    queryKey: [keys.health],
    queryFn: fetchData(api.health.health),
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
