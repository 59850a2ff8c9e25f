import { api, AUTO_PROCESS_STAGE_OPTIONS, type AutoProcessStage, type CreateSubredditBody, type Subreddit } from '@autoposter/contracts';
import { useQuery } from '@tanstack/react-query';
import { keys, useChange } from '../http/cache';
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

export const useCreateSubreddit = () => useChange((body: CreateSubredditBody) => call(api.subreddits.create, { body }), refresh);
/** Sends the wanted state instead of a change, so that equal clicks in two tabs have one result. */
export const useToggleSubreddit = () =>
  useChange(
    ({ id, isActive }: { id: string; isActive: boolean }) => call(api.subreddits.toggle, { params: { id }, body: { isActive } }),
    refresh,
  );
export const useRunSubreddit = () => useChange((id: string) => call(api.subreddits.runNow, { params: { id } }), refresh);
export const useDeleteSubreddit = () => useChange((id: string) => call(api.subreddits.remove, { params: { id } }), refresh);

export const useChangeStage = () =>
  useChange(
    ({ id, autoProcessStage }: { id: string; autoProcessStage: AutoProcessStage }) =>
      call(api.subreddits.changeStage, { params: { id }, body: { autoProcessStage } }),
    refresh,
  );

export const useChangeNeedsPermission = () =>
  useChange(
    ({ id, needsPermission }: { id: string; needsPermission: boolean }) =>
      call(api.subreddits.changeNeedsPermission, { params: { id }, body: { needsPermission } }),
    refresh,
  );

/** Starts (`true`) or stops scheduled collection. */
export const useSetSubredditScheduler = () =>
  useChange((run: boolean) => call(run ? api.subreddits.schedulerStart : api.subreddits.schedulerStop), refresh);

/** The requests that undo a change of a subreddit. */
export const undoInSubreddits = {
  toggle: ({ _id: id, config: { isActive } }: Subreddit): Undo => ({
    steps: [{ route: api.subreddits.toggle, params: { id }, body: { isActive } }],
    refresh,
  }),
  stage: ({ _id: id, config: { autoProcessStage } }: Subreddit): Undo => ({
    steps: [{ route: api.subreddits.changeStage, params: { id }, body: { autoProcessStage } }],
    refresh,
  }),
};
