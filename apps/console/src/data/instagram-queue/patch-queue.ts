import type { QueueItem } from '@autoposter/contracts';
import type { QueryClient, QueryKey } from '@tanstack/react-query';
import { keys } from '../http/keys';

/** What is new on an item; `null` when it goes. */
export type QueuePatch = (Partial<Omit<QueueItem, 'scheduling'>> & { scheduling?: Partial<QueueItem['scheduling']> }) | null;

/** What the cache held before a change, for the way back. */
export type QueueBefore = readonly (readonly [QueryKey, unknown])[];

interface WithPosts {
  posts: QueueItem[];
}
const hasPosts = (data: unknown): data is WithPosts => Array.isArray((data as WithPosts | undefined)?.posts);

/** Changes an item in every list of the queue before the server has answered. Returns what was there before. */
export async function patchQueue(client: QueryClient, id: string, patch: QueuePatch): Promise<QueueBefore> {
  await client.cancelQueries({ queryKey: [keys.queue] });
  const before = client.getQueriesData<unknown>({ queryKey: [keys.queue] });
  const changed = (item: QueueItem): QueueItem => ({ ...item, ...patch, scheduling: { ...item.scheduling, ...patch?.scheduling } });
  for (const [key, data] of before) {
    if (!hasPosts(data)) continue;
    const posts =
      patch === null ? data.posts.filter((item) => item._id !== id) : data.posts.map((item) => (item._id === id ? changed(item) : item));
    client.setQueryData(key, { ...data, posts });
  }
  return before;
}

export const putBack = (client: QueryClient, before: QueueBefore | undefined): void => {
  for (const [key, data] of before ?? []) client.setQueryData(key, data);
};
