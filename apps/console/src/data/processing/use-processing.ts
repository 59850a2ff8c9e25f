import { api, LIMITS } from '@autoposter/contracts';
import { useMutation, useQuery } from '@tanstack/react-query';
import { keys, useInvalidate } from '../http/cache';
import { call } from '../http/client';
import { useFollowStageRun } from '../runs/stage-runs';

const { dmca, ai } = LIMITS.processAll;
const aiOptions = LIMITS.ai.options;

const REFRESH_AFTER_MS = 1_000;
const DMCA_REFRESH_AFTER_FAILURE_MS = 500;

/** Refetches the ready lists with a delay: the worker claims an item shortly after the request was accepted. */
function useProcessing<I, O>(send: (input: I) => Promise<O>, failureDelayMs: number, onSuccess: (response: O) => void = () => undefined) {
  const refresh = useInvalidate(keys.dmca, keys.ai, keys.overview);
  return useMutation({
    mutationFn: send,
    onSuccess,
    onSettled: (_data, error) => void setTimeout(() => void refresh(), error === null ? REFRESH_AFTER_MS : failureDelayMs),
  });
}

/** Twice the maximum of the Process All label, because the list also has items that wait for their provider. */
const LISTED = 2 * LIMITS.processAll.labelCountsTo;

export const useDmcaReady = () =>
  useQuery({ queryKey: [keys.dmca], queryFn: ({ signal }) => call(api.dmca.ready, { query: { limit: LISTED }, signal }) });

export const useProcessDmca = () =>
  useProcessing((id: string) => call(api.dmca.process, { params: { id } }), DMCA_REFRESH_AFTER_FAILURE_MS);

export function useProcessAllDmca() {
  const body = { batchSize: dmca.batchSize, delayBetweenFiles: dmca.delayBetweenFilesMs, maxFiles: dmca.maxFiles };
  const send = (_all: void) => call(api.dmca.processAll, { body });
  return useProcessing(send, DMCA_REFRESH_AFTER_FAILURE_MS, useFollowStageRun('dmca'));
}

export const useAiReady = () =>
  useQuery({ queryKey: [keys.ai], queryFn: ({ signal }) => call(api.ai.ready, { query: { limit: LISTED }, signal }) });

export const useProcessAi = () =>
  useProcessing((id: string) => call(api.ai.process, { params: { id }, body: aiOptions }), REFRESH_AFTER_MS);

export function useProcessAllAi() {
  const body = { batchSize: ai.batchSize, delayBetweenFiles: ai.delayBetweenFilesMs, maxFiles: ai.maxFiles, ...aiOptions };
  return useProcessing((_all: void) => call(api.ai.processAll, { body }), REFRESH_AFTER_MS, useFollowStageRun('ai'));
}
