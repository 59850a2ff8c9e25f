import { api, type Download } from '@autoposter/contracts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { keys, useChange } from '../http/cache';
import { call } from '../http/client';
import { pagedListOf } from '../http/paged-list';

const downloadList = pagedListOf<Download>({
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

/** All requested downloads. The first page is available immediately, the others follow. */
export function useDownloads(enabled = true) {
  const client = useQueryClient();
  return useQuery({
    enabled,
    queryKey: [keys.downloads],
    queryFn: () => downloadList(client).read(),
    select: (list) => list.data,
    // A deep comparison of thousands of downloads would block the page; the list reader reuses unchanged ones.
    structuralSharing: false,
  });
}

/** Without invalidation, for bulk retries. */
export const retryDownload = ({ _id, platform }: Pick<Download, '_id' | 'platform'>) =>
  call(platform === 'reddit' ? api.reddit.retry : api.instagramSource.retry, { params: { id: _id } });

export const useRetryDownload = () => useChange(retryDownload, [keys.downloads]);

export const useDeleteDownload = () => useChange((id: string) => call(api.downloads.remove, { params: { id } }), [keys.downloads]);
