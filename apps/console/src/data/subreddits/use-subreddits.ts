import { api, AUTO_PROCESS_STAGE_OPTIONS, type Subreddit, type AutoProcessStage, type CreateSubredditBody } from '@autoposter/contracts';
import { useQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../http/client';
import { keys } from '../http/cache';
import type { Undo } from '../undo/undo';

export const useSubreddits = () =>
  useQuery({ queryKey: [keys.subreddits], queryFn: async ({ signal }) => (await call(api.subreddits.list, { signal })).data });

/** Where posts may stop by themselves, as the server words it. */
export const useAutoProcessStages = () =>
  useQuery({
    queryKey: [keys.subreddits, 'stages'],
    queryFn: async ({ signal }) => (await call(api.subreddits.autoProcessStages, { signal })).data,
    placeholderData: [...AUTO_PROCESS_STAGE_OPTIONS],
    staleTime: Infinity,
  });

export const useSubredditScheduler = () =>
  useQuery({
    queryKey: [keys.subredditScheduler],
    queryFn: async ({ signal }) => (await call(api.subreddits.schedulerStatus, { signal })).data,
  });

const refresh = [keys.subreddits, keys.subredditScheduler] as const;

/** The calls that take a change of a subreddit back. */
export const takeBack = {
  toggle: ({ _id: id }: Subreddit): Undo => ({ steps: [{ route: api.subreddits.toggle, params: { id } }], refresh }),
  stage: ({ _id: id, config: { autoProcessStage } }: Subreddit): Undo => ({
    steps: [{ route: api.subreddits.changeStage, params: { id }, body: { autoProcessStage } }],
    refresh,
  }),
};

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
