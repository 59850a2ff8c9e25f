import { api, type DeadLetterEntry, type ItemStage, type Stage } from '@autoposter/contracts';
import { useQuery } from '@tanstack/react-query';
import { keys, useChange, usePage } from '../http/cache';
import { call, fetchData } from '../http/client';

/** Polled, because lag and worker count change without a live event. */
const REFRESH_MS = 10_000;

export const usePipeline = () =>
  useQuery({ queryKey: [keys.stages, 'now'], queryFn: fetchData(api.stages.now), refetchInterval: REFRESH_MS });

export const useDeadLetters = (query: { stage: Stage | ''; page: number }) =>
  usePage([keys.stages, 'dead-letters'], api.stages.deadLetters, query);

export const useQuarantine = (page: number) => usePage([keys.stages, 'quarantine'], api.stages.quarantine, { page });

const AFTER_REPLAY = [keys.stages, keys.overview, keys.failures] as const;

export const useReplay = () =>
  useChange(({ id }: Pick<DeadLetterEntry, 'id'>) => call(api.stages.replay, { params: { id } }), AFTER_REPLAY);

export const useReplayAll = () =>
  useChange(async (stage: ItemStage) => (await call(api.stages.replayAll, { body: { stage } })).data, AFTER_REPLAY);
