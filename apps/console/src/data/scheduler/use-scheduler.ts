import { api } from '@autoposter/contracts';
import { useQuery } from '@tanstack/react-query';
import { keys, useChange } from '../http/cache';
import { call, fetchData } from '../http/client';

/** Polled, because task runs emit no live event. */
const polling = { refetchInterval: 30_000, refetchOnWindowFocus: 'always' } as const;

export const useSchedulerStatus = () =>
  useQuery({ queryKey: [keys.scheduler, 'status'], queryFn: fetchData(api.scheduler.status), ...polling });

export const useSchedulerStatistics = () =>
  useQuery({ queryKey: [keys.scheduler, 'statistics'], queryFn: fetchData(api.scheduler.statistics), ...polling });

/** Starts (`true`) or stops the task scheduler. */
export const useSetScheduler = () => useChange((run: boolean) => call(run ? api.scheduler.start : api.scheduler.stop), [keys.scheduler]);
