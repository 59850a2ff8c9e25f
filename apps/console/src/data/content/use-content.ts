import { api, type ContentItem } from '@autoposter/contracts';
import { type QueryClient, useQuery, useQueryClient, useMutation } from '@tanstack/react-query';
import { call } from '../http/client';
import { keys, type KeyRoot } from '../http/cache';
import { loaderOf } from '../http/paged-list';

/** Reads captioned items as cards: what only their details show is left out. */
export const cardLoader = loaderOf<ContentItem>({
  root: keys.completed,
  read: (query) => call(api.ai.completed, { query }),
  idOf: (item) => item.id,
  same: (a, b) =>
    a.updatedAt === b.updatedAt &&
    a.status === b.status &&
    a.posterUrl === b.posterUrl &&
    a.processedCdnUrl === b.processedCdnUrl &&
    a.aiContent?.caption === b.aiContent?.caption &&
    a.updatedAt !== undefined,
});

export const takeOut = (client: QueryClient, ids: readonly string[]): void => cardLoader(client).drop(ids);

export const patchCard = (client: QueryClient, id: string, edit: (item: ContentItem) => ContentItem): void =>
  cardLoader(client).edit((items) => items.map((item) => (item.id === id ? edit(item) : item)));

/** Items with a caption, ready or posted, as cards. The first are there after one page, the others follow by themselves. */
export function useCompleted() {
  const client = useQueryClient();
  // Comparing ten thousand cards field by field would hold up the page; the loader keeps what did not change.
  return useQuery({ queryKey: [keys.completed], queryFn: () => cardLoader(client).read(), structuralSharing: false });
}

/** Everything about one item; asks only while `id` is given. */
export const useContentDetails = (id: string | null) =>
  useQuery({
    queryKey: [keys.content, id],
    enabled: id !== null,
    queryFn: async ({ signal }) => (await call(api.content.details, { params: { id: id ?? '' }, signal })).data,
  });

/** What a change of these items makes old. */
export const AFTER_DISCARD: readonly KeyRoot[] = [keys.completed, keys.overview, keys.content];
export const AFTER_ENQUEUE: readonly KeyRoot[] = [keys.completed, keys.queue, keys.overview, keys.content];

/** A post that no model wrote for becomes ready with its first caption. */
const AFTER_FIRST_CAPTION: readonly KeyRoot[] = [keys.completed, keys.downloads, keys.ai, keys.overview, keys.stages];

const readAgain = (client: QueryClient, roots: readonly KeyRoot[]) => {
  for (const root of roots) void client.invalidateQueries({ queryKey: [root] });
};

interface Enqueue {
  id: string;
  caption: string;
  postImmediately: boolean;
}

/** The calls that add, post and discard. What left the list goes from it at once; everything else is read again once, by `readAgain`. */
export function useContentCalls() {
  const client = useQueryClient();
  return {
    discard: async (id: string) => {
      await call(api.ai.discard, { params: { id } });
      takeOut(client, [id]);
    },
    /** Puts an item into the queue, or posts it at once. Added items leave the list. Answers the queue item. */
    enqueue: async ({ id, caption, postImmediately }: Enqueue) => {
      const { data } = await call(api.instagramQueue.enqueue, {
        params: { id },
        body: caption.trim() === '' ? { postImmediately } : { customCaption: caption, postImmediately },
      });
      if (!postImmediately) takeOut(client, [id]);
      return data;
    },
    readAgain: (roots: readonly KeyRoot[]) => readAgain(client, roots),
  };
}

interface CaptionChange {
  id: string;
  caption: string;
  /** Without them they stay as they are. */
  hashtags?: string[];
  first: boolean;
}

export function useUpdateCaption() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id, caption, hashtags }: CaptionChange) =>
      call(api.ai.updateCaption, { params: { id }, body: hashtags === undefined ? { caption } : { caption, hashtags } }),
    onSuccess: (_answer, { id, caption, hashtags, first }) => {
      if (first) readAgain(client, AFTER_FIRST_CAPTION);
      patchCard(client, id, (item) =>
        item.aiContent === null
          ? item
          : { ...item, aiContent: { ...item.aiContent, caption: caption.trim(), hashtags: hashtags ?? item.aiContent.hashtags } },
      );
      return client.invalidateQueries({ queryKey: [keys.content, id] });
    },
  });
}
