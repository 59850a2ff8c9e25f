import { api, AUTO_PROCESS_STAGE_OPTIONS, type AutoProcessStage, type CreateSubredditBody, type Subreddit } from '@autoposter/contracts';
import { useMutation, useQuery } from '@tanstack/react-query';
import { keys, useInvalidate } from '../http/cache';
import { call, fetchData } from '../http/client';
import type { Undo } from '../undo/undo';

export const useSubreddits = () => useQuery({ queryKey: [keys.subreddits], queryFn: fetchData(api.subreddits.list) });

/** Last stage of automatic processing, with the server's labels. */
export const useAutoProcessStages = () =>
  useQuery({
    queryKey: [keys.subreddits, 'stages'],
    queryFn: fetchData(api.subreddits.autoProcessStages),
    placeholderData: [...AUTO_PROCESS_STAGE_OPTIONS],
    staleTime: Infinity,
  });

export const useSubredditScheduler = () =>
  useQuery({ queryKey: [keys.subredditScheduler], queryFn: fetchData(api.subreddits.schedulerStatus) });

const refresh = [keys.subreddits, keys.subredditScheduler] as const;
const useRefresh = () => useInvalidate(...refresh);

export const useCreateSubreddit = () =>
  useMutation({ mutationFn: (body: CreateSubredditBody) => call(api.subreddits.create, { body }), onSuccess: useRefresh() });

export const useToggleSubreddit = () =>
  useMutation({ mutationFn: (id: string) => call(api.subreddits.toggle, { params: { id } }), onSettled: useRefresh() });

export const useRunSubreddit = () =>
  useMutation({ mutationFn: (id: string) => call(api.subreddits.runNow, { params: { id } }), onSettled: useRefresh() });

export const useDeleteSubreddit = () =>
  useMutation({ mutationFn: (id: string) => call(api.subreddits.remove, { params: { id } }), onSettled: useRefresh() });

export const useChangeStage = () =>
  useMutation({
    mutationFn: ({ id, autoProcessStage }: { id: string; autoProcessStage: AutoProcessStage }) =>
      call(api.subreddits.changeStage, { params: { id }, body: { autoProcessStage } }),
    onSettled: useRefresh(),
  });

/** Starts (`true`) or stops scheduled collection. */
export const useSetSubredditScheduler = () =>
  useMutation({
    mutationFn: (run: boolean) => call(run ? api.subreddits.schedulerStart : api.subreddits.schedulerStop),
    onSettled: useRefresh(),
  });

/** The requests that undo a change of a subreddit. */
export const undoInSubreddits = {
  toggle: ({ _id: id }: Subreddit): Undo => ({ steps: [{ route: api.subreddits.toggle, params: { id } }], refresh }),
  stage: ({ _id: id, config: { autoProcessStage } }: Subreddit): Undo => ({
    steps: [{ route: api.subreddits.changeStage, params: { id }, body: { autoProcessStage } }],
    refresh,
  }),
};
