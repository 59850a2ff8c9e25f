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

/** Takes an item out of the list. */
export function useDiscard() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => call(api.ai.discard, { params: { id } }),
    onSuccess: (_answer, id) => {
      takeOut(client, [id]);
      readAgain(client, [keys.overview, keys.content]);
    },
  });
}

interface Enqueue {
  id: string;
  caption: string;
  postImmediately: boolean;
}

/** Puts an item into the queue, or posts it at once. Added items leave the list. */
export function useEnqueue() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id, caption, postImmediately }: Enqueue) =>
      call(api.instagramQueue.enqueue, {
        params: { id },
        body: caption.trim() === '' ? { postImmediately } : { customCaption: caption, postImmediately },
      }),
    onSuccess: (_answer, { id, postImmediately }) => {
      if (!postImmediately) takeOut(client, [id]);
      readAgain(client, postImmediately ? AFTER_ENQUEUE : [keys.queue, keys.overview, keys.content]);
    },
  });
}

export function useUpdateCaption() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id, caption }: { id: string; caption: string; first: boolean }) =>
      call(api.ai.updateCaption, { params: { id }, body: { caption } }),
    onSuccess: (_answer, { id, caption, first }) => {
      if (first) readAgain(client, AFTER_FIRST_CAPTION);
      patchCard(client, id, (item) =>
        item.aiContent === null ? item : { ...item, aiContent: { ...item.aiContent, caption: caption.trim() } },
      );
      return client.invalidateQueries({ queryKey: [keys.content, id] });
    },
  });
}
