import { api, LIMITS } from '@autoposter/contracts';
import { useMutation, useQuery } from '@tanstack/react-query';
import { call } from '../http/client';
import { keys } from '../http/keys';

/** Whether publishing is configured. */
export const useInstagramConfig = () =>
  useQuery({
    queryKey: [keys.instagram, 'config'],
    queryFn: async ({ signal }) => (await call(api.instagram.config, { signal })).data,
  });

/** Asks whether the media tools are there. */
export const useCompatibilityTest = () => useMutation({ mutationFn: async () => (await call(api.instagram.compatibilityTest)).data });

/** Hashtags that a post may have; the default until the gateway has told. */
export const useMaxHashtags = (): number => useInstagramConfig().data?.hashtagLimit?.max ?? LIMITS.caption.maxHashtags;
