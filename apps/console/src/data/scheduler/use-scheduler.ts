import { api } from '@autoposter/contracts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { call } from '../http/client';
import { keys } from '../http/keys';

export const useSchedulerStatus = () =>
  useQuery({
    queryKey: [keys.scheduler, 'status'],
    queryFn: async ({ signal }) => (await call(api.scheduler.status, { signal })).data,
  });

export const useSchedulerStatistics = () =>
  useQuery({
    queryKey: [keys.scheduler, 'statistics'],
    queryFn: async ({ signal }) => (await call(api.scheduler.statistics, { signal })).data,
  });

/** Starts (`true`) or stops the task scheduler. */
export function useSetScheduler() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (run: boolean) => call(run ? api.scheduler.start : api.scheduler.stop),
    onSettled: () => client.invalidateQueries({ queryKey: [keys.scheduler] }),
  });
}
