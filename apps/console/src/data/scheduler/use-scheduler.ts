import { api } from '@autoposter/contracts';
import { useMutation, useQuery } from '@tanstack/react-query';
import { keys, useInvalidate } from '../http/cache';
import { call } from '../http/client';

/** Polled, because task runs emit no live event. */
const polling = { refetchInterval: 30_000, refetchOnWindowFocus: 'always' } as const;

export const useSchedulerStatus = () =>
  useQuery({
    queryKey: [keys.scheduler, 'status'],
    queryFn: async ({ signal }) => (await call(api.scheduler.status, { signal })).data,
    ...polling,
  });

export const useSchedulerStatistics = () =>
  useQuery({
    queryKey: [keys.scheduler, 'statistics'],
    queryFn: async ({ signal }) => (await call(api.scheduler.statistics, { signal })).data,
    ...polling,
  });

/** Starts (`true`) or stops the task scheduler. */
export const useSetScheduler = () =>
  useMutation({
    mutationFn: (run: boolean) => call(run ? api.scheduler.start : api.scheduler.stop),
    onSettled: useInvalidate(keys.scheduler),
  });
