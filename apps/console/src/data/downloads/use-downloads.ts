import { api, type Download } from '@autoposter/contracts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { call } from '../http/client';
import { keys } from '../http/cache';
import { loaderOf } from '../http/paged-list';

const downloadLoader = loaderOf<Download>({
  root: keys.downloads,
  read: (query) => call(api.downloads.list, { query }),
  idOf: (item) => item._id,
  same: (a, b) =>
    a.updatedAt === b.updatedAt &&
    a.status === b.status &&
    a.posterUrl === b.posterUrl &&
    a.waiting?.until === b.waiting?.until &&
    a.waiting?.reason === b.waiting?.reason &&
    a.updatedAt !== undefined,
});

/** All posts that were asked for; the first are there after one page. Without `enabled` nothing is read. */
export function useDownloads(enabled = true) {
  const client = useQueryClient();
  return useQuery({
    enabled,
    queryKey: [keys.downloads],
    queryFn: () => downloadLoader(client).read(),
    select: (list) => list.data,
    // Comparing thousands of downloads field by field would hold up the page; the loader keeps what did not change.
    structuralSharing: false,
  });
}

/** The call alone, for who retries many and reads the list again once. */
export const retryDownload = ({ _id, platform }: Pick<Download, '_id' | 'platform'>) =>
  call(platform === 'reddit' ? api.reddit.retry : api.instagramSource.retry, { params: { id: _id } });

export function useRetryDownload() {
  const client = useQueryClient();
  return useMutation({ mutationFn: retryDownload, onSettled: () => client.invalidateQueries({ queryKey: [keys.downloads] }) });
}

export function useDeleteDownload() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => call(api.downloads.remove, { params: { id } }),
    onSettled: () => client.invalidateQueries({ queryKey: [keys.downloads] }),
  });
}
