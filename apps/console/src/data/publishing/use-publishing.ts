import { api } from '@autoposter/contracts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { call } from '../http/client';
import { keys } from '../http/keys';

/** Whether publishing is paused. */
export const usePublishing = () =>
  useQuery({ queryKey: [keys.publishing], queryFn: async ({ signal }) => (await call(api.publishing.state, { signal })).data });

/** Pauses (`true`) or resumes all publishing. */
export function useSetPublishing() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (paused: boolean) => (await call(paused ? api.publishing.pause : api.publishing.resume)).data,
    onSuccess: (state) => {
      client.setQueryData([keys.publishing], state);
      void client.invalidateQueries({ queryKey: [keys.queue] });
    },
  });
}
