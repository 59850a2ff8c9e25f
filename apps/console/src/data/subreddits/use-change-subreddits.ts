import { api, type AutoProcessStage, type CreateSubredditBody } from '@autoposter/contracts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../http/client';
import { keys } from '../http/keys';

const useRefresh = () => {
  const client = useQueryClient();
  return () =>
    Promise.all([
      client.invalidateQueries({ queryKey: [keys.subreddits] }),
      client.invalidateQueries({ queryKey: [keys.subredditScheduler] }),
    ]);
};

export function useCreateSubreddit() {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: (body: CreateSubredditBody) => call(api.subreddits.create, { body }),
    onSuccess: refresh,
  });
}

export function useToggleSubreddit() {
  const refresh = useRefresh();
  return useMutation({ mutationFn: (id: string) => call(api.subreddits.toggle, { params: { id } }), onSettled: refresh });
}

export function useRunSubreddit() {
  const refresh = useRefresh();
  return useMutation({ mutationFn: (id: string) => call(api.subreddits.runNow, { params: { id } }), onSettled: refresh });
}

export function useDeleteSubreddit() {
  const refresh = useRefresh();
  return useMutation({ mutationFn: (id: string) => call(api.subreddits.remove, { params: { id } }), onSettled: refresh });
}

export function useChangeStage() {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: ({ id, autoProcessStage }: { id: string; autoProcessStage: AutoProcessStage }) =>
      call(api.subreddits.changeStage, { params: { id }, body: { autoProcessStage } }),
    onSettled: refresh,
  });
}

/** Starts (`true`) or stops the runs by the clock. */
export function useSetSubredditScheduler() {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: (run: boolean) => call(run ? api.subreddits.schedulerStart : api.subreddits.schedulerStop),
    onSettled: refresh,
  });
}
