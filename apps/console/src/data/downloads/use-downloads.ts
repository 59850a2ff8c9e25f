import { api, type Download } from '@autoposter/contracts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { call } from '../http/client';
import { keys } from '../http/keys';

/** All posts that were asked for; without `enabled` nothing is read. */
export const useDownloads = (enabled = true) =>
  useQuery({
    enabled,
    queryKey: [keys.downloads],
    queryFn: ({ signal }) => call(api.downloads.list, { signal }),
    select: (answer) => answer.data,
  });

export function useRetryDownload() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (item: Pick<Download, '_id' | 'platform'>) =>
      call(item.platform === 'reddit' ? api.reddit.retry : api.instagramSource.retry, { params: { id: item._id } }),
    onSettled: () => client.invalidateQueries({ queryKey: [keys.downloads] }),
  });
}

export function useDeleteDownload() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => call(api.downloads.remove, { params: { id } }),
    onSettled: () => client.invalidateQueries({ queryKey: [keys.downloads] }),
  });
}
