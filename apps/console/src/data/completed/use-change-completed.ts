import { api, type ContentItem } from '@autoposter/contracts';
import { useMutation, useQueryClient, type QueryClient } from '@tanstack/react-query';
import { call } from '../http/client';
import { keys } from '../http/keys';

type List = ContentItem[] | undefined;

const change = (client: QueryClient, edit: (list: ContentItem[]) => ContentItem[]) =>
  client.setQueryData<List>([keys.completed], (list) => (list === undefined ? list : edit(list)));

const without = (client: QueryClient, id: string) => change(client, (list) => list.filter((item) => item.id !== id));

/** Takes an item out of the list for good. */
export function useDiscard() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => call(api.ai.discard, { params: { id } }),
    onSuccess: (_answer, id) => {
      without(client, id);
      void client.invalidateQueries({ queryKey: [keys.overview] });
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
      if (!postImmediately) without(client, id);
      for (const key of [keys.queue, keys.overview, keys.content]) void client.invalidateQueries({ queryKey: [key] });
      if (postImmediately) void client.invalidateQueries({ queryKey: [keys.completed] });
    },
  });
}

export function useUpdateCaption() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id, caption }: { id: string; caption: string }) => call(api.ai.updateCaption, { params: { id }, body: { caption } }),
    onSuccess: (_answer, { id, caption }) => {
      change(client, (list) =>
        list.map((item) =>
          item.id === id && item.aiContent !== null ? { ...item, aiContent: { ...item.aiContent, caption: caption.trim() } } : item,
        ),
      );
      void client.invalidateQueries({ queryKey: [keys.content, id] });
    },
  });
}
