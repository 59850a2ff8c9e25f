import { api } from '@autoposter/contracts';
import { useMutation, useQueryClient, type QueryClient } from '@tanstack/react-query';
import { call } from '../http/client';
import { keys, type KeyRoot } from '../http/keys';
import { patchCard, takeOut } from './card-list';

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
export function useItemCalls() {
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
