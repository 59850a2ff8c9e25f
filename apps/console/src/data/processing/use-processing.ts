import { api, LIMITS } from '@autoposter/contracts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { keys, refreshReadyListsSoon } from '../http/cache';
import { call } from '../http/client';
import { useFollowStageRun } from '../runs/stage-runs';

const { dmca, ai } = LIMITS.processAll;
const aiOptions = LIMITS.ai.options;

/** Items that wait for DMCA protection. */
export const useDmcaReady = () =>
  useQuery({ queryKey: [keys.dmca], queryFn: async ({ signal }) => (await call(api.dmca.ready, { signal })).data });

export function useProcessDmca() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => call(api.dmca.process, { params: { id } }),
    onSettled: (_data, error) => refreshReadyListsSoon(client, error !== null),
  });
}

export function useProcessAllDmca() {
  const client = useQueryClient();
  const onSuccess = useFollowStageRun('dmca');
  return useMutation({
    mutationFn: () =>
      call(api.dmca.processAll, {
        body: { batchSize: dmca.batchSize, delayBetweenFiles: dmca.delayBetweenFilesMs, maxFiles: dmca.maxFiles },
      }),
    onSuccess,
    onSettled: (_data, error) => refreshReadyListsSoon(client, error !== null),
  });
}

/** Items that wait for a caption. */
export const useAiReady = () =>
  useQuery({ queryKey: [keys.ai], queryFn: async ({ signal }) => (await call(api.ai.ready, { signal })).data });

export function useProcessAi() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => call(api.ai.process, { params: { id }, body: aiOptions }),
    onSettled: () => refreshReadyListsSoon(client, false),
  });
}

export function useProcessAllAi() {
  const client = useQueryClient();
  const onSuccess = useFollowStageRun('ai');
  return useMutation({
    mutationFn: () =>
      call(api.ai.processAll, {
        body: { batchSize: ai.batchSize, delayBetweenFiles: ai.delayBetweenFilesMs, maxFiles: ai.maxFiles, ...aiOptions },
      }),
    onSuccess,
    onSettled: () => refreshReadyListsSoon(client, false),
  });
}
