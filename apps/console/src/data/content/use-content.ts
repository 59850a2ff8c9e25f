import { api, type ContentItem } from '@autoposter/contracts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { invalidate, type KeyRoot, keys } from '../http/cache';
import { call, CallError, fetchData } from '../http/client';
import { pagedListOf } from '../http/paged-list';
import { useSelectedAccount } from '../instagram-accounts/use-accounts';

export const AFTER_DISCARD: readonly KeyRoot[] = [keys.completed, keys.overview, keys.content];
export const AFTER_ENQUEUE: readonly KeyRoot[] = [keys.completed, keys.queue, keys.overview, keys.content];
/** An item without an AI caption becomes ready with its first manual one. */
const AFTER_FIRST_CAPTION: readonly KeyRoot[] = [keys.completed, keys.downloads, keys.ai, keys.overview, keys.stages];

const completedList = pagedListOf<ContentItem>({
  root: keys.completed,
  read: (query) => call(api.ai.completed, { query }),
  idOf: (item) => item.id,
  // Only what a card shows.
  same: (a, b) =>
    a.updatedAt === b.updatedAt &&
    a.status === b.status &&
    a.posterUrl === b.posterUrl &&
    a.processedCdnUrl === b.processedCdnUrl &&
    a.aiContent?.caption === b.aiContent?.caption &&
    a.updatedAt !== undefined,
});

/** Items with a caption, ready or posted. The first page is available immediately, the others follow. */
export function useCompleted() {
  const client = useQueryClient();
  // A deep comparison of ten thousand items would block the page; the list reader reuses unchanged ones.
  return useQuery({ queryKey: [keys.completed], queryFn: () => completedList(client).read(), structuralSharing: false });
}

/** All details of an item; idle while `id` is null. */
export const useContentDetails = (id: string | null) =>
  useQuery({ queryKey: [keys.content, id], enabled: id !== null, queryFn: fetchData(api.content.details, { params: { id: id ?? '' } }) });

interface Enqueue {
  id: string;
  caption: string;
  postImmediately: boolean;
}

/** Enqueue and discard remove the item from the list immediately; the caller invalidates once, after its last call. */
export function useContentCalls() {
  const client = useQueryClient();
  const { accountId } = useSelectedAccount();
  return {
    discard: async (id: string) => {
      await call(api.ai.discard, { params: { id } });
      completedList(client).drop([id]);
    },
    /** Adds the item to the queue of the selected account or publishes it there immediately. Returns the queue item. */
    enqueue: async ({ id, caption, postImmediately }: Enqueue) => {
      const customCaption = caption.trim() === '' ? {} : { customCaption: caption };
      const body = { ...customCaption, postImmediately, ...(accountId === undefined ? {} : { accountId }) };
      const { data } = await call(api.instagramQueue.enqueue, { params: { id }, body });
      if (!postImmediately) completedList(client).drop([id]);
      return data;
    },
    invalidate: (roots: readonly KeyRoot[]) => void invalidate(client, roots),
  };
}

interface CaptionChange {
  id: string;
  caption: string;
  /** Unchanged when omitted. */
  hashtags?: string[];
  /** The texts that are on the screen. */
  replaces: { caption: string; hashtags: string[] };
}

const CONFLICT = 409;

export function useUpdateCaption() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id, ...body }: CaptionChange) => call(api.ai.updateCaption, { params: { id }, body }),
    // another administrator may have changed the caption: the editor then shows the new one
    onError: (error, { id }) => {
      if (!(error instanceof CallError) || error.status !== CONFLICT) return;
      void invalidate(client, [keys.completed]);
      void client.invalidateQueries({ queryKey: [keys.content, id] });
    },
    onSuccess: (_response, { id, caption, hashtags, replaces }) => {
      if (replaces.caption === '') void invalidate(client, AFTER_FIRST_CAPTION);
      completedList(client).edit((items) =>
        items.map((item) =>
          item.id !== id || item.aiContent === null
            ? item
            : { ...item, aiContent: { ...item.aiContent, caption: caption.trim(), hashtags: hashtags ?? item.aiContent.hashtags } },
        ),
      );
      return client.invalidateQueries({ queryKey: [keys.content, id] });
    },
  });
}
