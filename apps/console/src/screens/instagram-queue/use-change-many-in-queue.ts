import type { QueueItem } from '@autoposter/contracts';
import { changeMany, type ManyChange } from '../../app/bulk/change-many';
import { AFTER_QUEUE_CHANGE, undoInQueue, queueCalls, useRefreshQueue } from '../../data/instagram-queue/use-change-queue';
import { QUEUE_TEXT } from '../../text/instagram-queue.text';

const TEXT = QUEUE_TEXT.bulk;

/** Changes of many posts of the queue: a call for each, and the lists are read again once, at the end. */
export function useChangeManyInQueue() {
  const readAgain = useRefreshQueue();
  const run = (items: readonly QueueItem[], change: Pick<ManyChange<QueueItem>, 'title' | 'one' | 'done'>): void =>
    void changeMany(items, { ...change, failed: QUEUE_TEXT.error, refresh: AFTER_QUEUE_CHANGE }).then(readAgain);
  return {
    remove: (items: readonly QueueItem[]) =>
      run(items, {
        title: TEXT.removing,
        one: async (item) => {
          await queueCalls.remove({ id: item._id });
          return undoInQueue.remove(item).steps;
        },
        done: TEXT.removed,
      }),
    prioritise: (items: readonly QueueItem[], priority: number) =>
      run(items, {
        title: TEXT.prioritising,
        one: async (item) => {
          await queueCalls.prioritise({ id: item._id, priority });
          return undoInQueue.priority(item).steps;
        },
        done: (posts) => TEXT.prioritised(posts, priority),
      }),
  };
}
