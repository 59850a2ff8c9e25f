import { api, AUTO_PROCESS_STAGE_OPTIONS } from '@autoposter/contracts';
import { useQuery } from '@tanstack/react-query';
import { call } from '../http/client';
import { keys } from '../http/keys';

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
