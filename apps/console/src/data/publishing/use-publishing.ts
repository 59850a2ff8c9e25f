import { api, type InstagramConfig, LIMITS, type Publishing, type ResumeBody } from '@autoposter/contracts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { keys, useChange } from '../http/cache';
import { call, fetchData } from '../http/client';

export const resumeBody = (since: Publishing['since']): ResumeBody => (since === null ? {} : { since });

export const usePublishing = () => useQuery({ queryKey: [keys.publishing], queryFn: fetchData(api.publishing.state) });

/** Pauses all publishing, or resumes the pause that is shown. */
export function useTogglePublishing() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async ({ paused, since }: Publishing) =>
      (await (paused ? call(api.publishing.resume, { body: resumeBody(since) }) : call(api.publishing.pause))).data,
    onSuccess: (state) => {
      client.setQueryData([keys.publishing], state);
      void client.invalidateQueries({ queryKey: [keys.queue] });
    },
  });
}

const TEST_POLL_MS = 2_000;

/** The configuration of an account; by default of the account of the environment. */
export const useInstagramConfig = (accountId?: string, enabled = true) =>
  useQuery<InstagramConfig>({
    queryKey: [keys.instagram, 'config', accountId],
    queryFn: fetchData(api.instagram.config, { query: { accountId } }),
    enabled,
    refetchInterval: ({ state }) => (state.data?.mediaTest?.isPending === true ? TEST_POLL_MS : false),
  });

/** Requests a test by the publishing worker; its result is part of the configuration. */
export const useTestMediaAddress = () => useChange(() => call(api.instagram.testMediaAddress), [keys.instagram]);

/** The features of Instagram's API that an account can use; by default the account of the environment. They depend on the configuration only. */
export const useCapabilities = (accountId?: string) =>
  useQuery({
    queryKey: [keys.instagram, 'capabilities', accountId],
    queryFn: fetchData(api.instagram.capabilities, { query: { accountId } }),
  });

export const useCompatibilityTest = () => useMutation({ mutationFn: async () => (await call(api.instagram.compatibilityTest)).data });

/** Maximum hashtags of a post; the default until the configuration is loaded. */
export const useMaxHashtags = (): number => useInstagramConfig().data?.hashtagLimit?.max ?? LIMITS.caption.maxHashtags;
