import { api, type DeadLetterEntry, type ItemStage, type Stage } from '@autoposter/contracts';
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import { keys, useInvalidate } from '../http/cache';
import { call, fetchData } from '../http/client';

/** Polled, because lag and worker count change without a live event. */
const REFRESH_MS = 10_000;

/** Current numbers of each stage. */
export const usePipeline = () =>
  useQuery({ queryKey: [keys.stages, 'now'], queryFn: fetchData(api.stages.now), refetchInterval: REFRESH_MS });

export const useDeadLetters = (query: { stage: Stage | ''; page: number }) =>
  useQuery({
    queryKey: [keys.stages, 'dead-letters', query],
    queryFn: fetchData(api.stages.deadLetters, { query }),
    placeholderData: keepPreviousData,
  });

export const useQuarantine = (page: number) =>
  useQuery({
    queryKey: [keys.stages, 'quarantine', page],
    queryFn: fetchData(api.stages.quarantine, { query: { page } }),
    placeholderData: keepPreviousData,
  });

export const useReplay = () =>
  useMutation({
    mutationFn: ({ id }: Pick<DeadLetterEntry, 'id'>) => call(api.stages.replay, { params: { id } }),
    onSettled: useInvalidate(keys.stages, keys.overview, keys.failures),
  });

export const useReplayAll = () =>
  useMutation({
    mutationFn: async (stage: ItemStage) => (await call(api.stages.replayAll, { body: { stage } })).data,
    onSettled: useInvalidate(keys.stages, keys.overview, keys.failures),
  });
