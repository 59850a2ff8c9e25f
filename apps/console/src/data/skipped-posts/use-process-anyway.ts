import { api } from '@autoposter/contracts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../http/client';
import { keys } from '../http/keys';

/** Takes in a post by its address though a filter left it out. */
export function useProcessAnyway() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (url: string) => call(api.reddit.process, { body: { url } }),
    onSettled: () => {
      for (const key of [keys.downloads, keys.overview]) void client.invalidateQueries({ queryKey: [key] });
    },
  });
}
