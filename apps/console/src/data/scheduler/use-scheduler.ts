import { api } from '@autoposter/contracts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { call } from '../http/client';
import { keys } from '../http/cache';

/** Tasks run without anybody being told; this is how often the screen looks. */
const LOOK_MS = 30_000;
const looking = { refetchInterval: LOOK_MS, refetchOnWindowFocus: 'always' } as const;

export const useSchedulerStatus = () =>
  useQuery({
    queryKey: [keys.scheduler, 'status'],
    queryFn: async ({ signal }) => (await call(api.scheduler.status, { signal })).data,
    ...looking,
  });

export const useSchedulerStatistics = () =>
  useQuery({
    queryKey: [keys.scheduler, 'statistics'],
    queryFn: async ({ signal }) => (await call(api.scheduler.statistics, { signal })).data,
    ...looking,
  });

/** Starts (`true`) or stops the task scheduler. */
export function useSetScheduler() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (run: boolean) => call(run ? api.scheduler.start : api.scheduler.stop),
    onSettled: () => client.invalidateQueries({ queryKey: [keys.scheduler] }),
  });
}
