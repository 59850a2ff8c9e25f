import { api, LIMITS } from '@autoposter/contracts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { call } from '../http/client';
import { keys } from '../http/keys';
import { readAgainSoon } from '../http/read-again-soon';
import { useFollowStageRun } from '../runs/use-follow-stage-run';

const { batchSize, delayBetweenFilesMs, maxFiles } = LIMITS.processAll.dmca;

/** Files that wait for DMCA protection. */
export const useDmcaReady = () =>
  useQuery({ queryKey: [keys.dmca], queryFn: async ({ signal }) => (await call(api.dmca.ready, { signal })).data });

export function useProcessDmca() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => call(api.dmca.process, { params: { id } }),
    onSettled: (_data, error) => readAgainSoon(client, error !== null),
  });
}

export function useProcessAllDmca() {
  const client = useQueryClient();
  const follow = useFollowStageRun('dmca');
  return useMutation({
    onSuccess: follow,
    mutationFn: () => call(api.dmca.processAll, { body: { batchSize, delayBetweenFiles: delayBetweenFilesMs, maxFiles } }),
    onSettled: (_data, error) => readAgainSoon(client, error !== null),
  });
}
