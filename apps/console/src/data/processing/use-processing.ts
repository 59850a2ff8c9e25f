import { api, LIMITS } from '@autoposter/contracts';
import { useMutation, useQuery } from '@tanstack/react-query';
import { keys, useInvalidate } from '../http/cache';
import { call, fetchData } from '../http/client';
import { useFollowStageRun } from '../runs/stage-runs';

const { dmca, ai } = LIMITS.processAll;
const aiOptions = LIMITS.ai.options;

const REFRESH_AFTER_MS = 1_000;
const REFRESH_AFTER_FAILURE_MS = 500;

/** Refetches the ready lists with a delay: the worker claims an item shortly after the request was accepted. */
function useRefreshReadyLists(): (delayMs: number) => void {
  const refresh = useInvalidate(keys.dmca, keys.ai, keys.overview);
  return (delayMs) => void setTimeout(() => void refresh(), delayMs);
}

/** Items that wait for DMCA protection. */
export const useDmcaReady = () => useQuery({ queryKey: [keys.dmca], queryFn: fetchData(api.dmca.ready) });

export function useProcessDmca() {
  const refresh = useRefreshReadyLists();
  return useMutation({
    mutationFn: (id: string) => call(api.dmca.process, { params: { id } }),
    onSettled: (_data, error) => refresh(error === null ? REFRESH_AFTER_MS : REFRESH_AFTER_FAILURE_MS),
  });
}

export function useProcessAllDmca() {
  const refresh = useRefreshReadyLists();
  return useMutation({
    mutationFn: () =>
      call(api.dmca.processAll, {
        body: { batchSize: dmca.batchSize, delayBetweenFiles: dmca.delayBetweenFilesMs, maxFiles: dmca.maxFiles },
      }),
    onSuccess: useFollowStageRun('dmca'),
    onSettled: (_data, error) => refresh(error === null ? REFRESH_AFTER_MS : REFRESH_AFTER_FAILURE_MS),
  });
}

/** Items that wait for a caption. */
export const useAiReady = () => useQuery({ queryKey: [keys.ai], queryFn: fetchData(api.ai.ready) });

export function useProcessAi() {
  const refresh = useRefreshReadyLists();
  return useMutation({
    mutationFn: (id: string) => call(api.ai.process, { params: { id }, body: aiOptions }),
    onSettled: () => refresh(REFRESH_AFTER_MS),
  });
}

export function useProcessAllAi() {
  const refresh = useRefreshReadyLists();
  return useMutation({
    mutationFn: () =>
      call(api.ai.processAll, {
        body: { batchSize: ai.batchSize, delayBetweenFiles: ai.delayBetweenFilesMs, maxFiles: ai.maxFiles, ...aiOptions },
      }),
    onSuccess: useFollowStageRun('ai'),
    onSettled: () => refresh(REFRESH_AFTER_MS),
  });
}
