import { api, LIMITS } from '@autoposter/contracts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { call } from '../http/client';
import { keys } from '../http/keys';
import { readAgainSoon } from '../http/read-again-soon';
import { useFollowStageRun } from '../runs/use-follow-stage-run';

const { batchSize, delayBetweenFilesMs, maxFiles } = LIMITS.processAll.ai;
const options = LIMITS.ai.options;

/** Files that wait for a caption. */
export const useAiReady = () =>
  useQuery({ queryKey: [keys.ai], queryFn: async ({ signal }) => (await call(api.ai.ready, { signal })).data });

export function useProcessAi() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => call(api.ai.process, { params: { id }, body: options }),
    onSettled: () => readAgainSoon(client, false),
  });
}

export function useProcessAllAi() {
  const client = useQueryClient();
  const follow = useFollowStageRun('ai');
  return useMutation({
    onSuccess: follow,
    mutationFn: () => call(api.ai.processAll, { body: { batchSize, delayBetweenFiles: delayBetweenFilesMs, maxFiles, ...options } }),
    onSettled: () => readAgainSoon(client, false),
  });
}
