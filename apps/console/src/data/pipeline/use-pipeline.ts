import { api, type DeadLetterEntry, type ItemStage, type Stage } from '@autoposter/contracts';
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { call } from '../http/client';
import { keys } from '../http/cache';

/** Lag and workers change without a fact that would tell. */
const LOOK_MS = 10_000;

/** Each stage right now. */
export const usePipeline = () =>
  useQuery({
    queryKey: [keys.stages, 'now'],
    queryFn: async ({ signal }) => (await call(api.stages.now, { signal })).data,
    refetchInterval: LOOK_MS,
  });

export const useDeadLetters = (query: { stage: Stage | ''; page: number }) =>
  useQuery({
    queryKey: [keys.stages, 'dead-letters', query],
    queryFn: async ({ signal }) => (await call(api.stages.deadLetters, { query, signal })).data,
    placeholderData: keepPreviousData,
  });

export const useQuarantine = (page: number) =>
  useQuery({
    queryKey: [keys.stages, 'quarantine', page],
    queryFn: async ({ signal }) => (await call(api.stages.quarantine, { query: { page }, signal })).data,
    placeholderData: keepPreviousData,
  });

const useReadAgain = () => {
  const client = useQueryClient();
  return () => Promise.all([keys.stages, keys.overview, keys.failures].map((root) => client.invalidateQueries({ queryKey: [root] })));
};

export function useReplay() {
  const onSettled = useReadAgain();
  return useMutation({
    mutationFn: ({ id }: Pick<DeadLetterEntry, 'id'>) => call(api.stages.replay, { params: { id } }),
    onSettled,
  });
}

export function useReplayAll() {
  const onSettled = useReadAgain();
  return useMutation({
    mutationFn: async (stage: ItemStage) => (await call(api.stages.replayAll, { body: { stage } })).data,
    onSettled,
  });
}
