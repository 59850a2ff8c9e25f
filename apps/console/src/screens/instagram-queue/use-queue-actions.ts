import type { QueueItem } from '@autoposter/contracts';
import { changeMany, type ManyChange } from '../../app/bulk/change-many';
import { notifyResult } from '../../app/notifications/notify-result';
import {
  AFTER_QUEUE_CHANGE,
  queueCalls,
  undoInQueue,
  useMoveInQueue,
  useRefreshQueue,
  useRemoveFromQueue,
  useRetryInQueue,
  useSetPriority,
} from '../../data/instagram-queue/use-change-queue';
import { QUEUE_TEXT } from '../../text/instagram-queue.text';
import { titleText } from '../../ui/format';
import { longDay, slotText } from './calendar/calendar-days';

export const titleOf = (item: QueueItem): string => titleText(item.sourceData.postTitle, QUEUE_TEXT.untitled);

export const sourceOf = ({ sourceData: { subreddit } }: QueueItem): string =>
  subreddit === null ? QUEUE_TEXT.unknownSource : `r/${subreddit}`;

export const waits = (item: QueueItem): boolean => item.status === 'pending' || item.status === 'scheduled';

/** Whether it can be removed. While it is being posted, only the server knows. */
export const canRemove = (item: QueueItem): boolean => item.removable ?? waits(item);

export const canPrioritise = ({ status }: QueueItem): boolean => status !== 'posting' && status !== 'posted';

/** Actions on one queue item. Updates are optimistic, rolled back on failure, and undoable. */
export function useQueueActions(timeZone: string) {
  const move = useMoveInQueue();
  const remove = useRemoveFromQueue();
  const priority = useSetPriority();
  const retry = useRetryInQueue();
  return {
    busy: (id: string): boolean => [move, remove, priority, retry].some((change) => change.isPending && change.variables.id === id),
    move: (item: QueueItem, at: Date | null): Promise<boolean> => {
      const { planned, dropped } = QUEUE_TEXT.move;
      const text = at === null ? planned(titleOf(item)) : dropped(titleOf(item), slotText(at, timeZone, longDay));
      const change = move.mutateAsync({ id: item._id, scheduledFor: at?.toISOString() ?? null });
      return notifyResult(change, text, QUEUE_TEXT.error, undoInQueue.move(item));
    },
    remove: (item: QueueItem): Promise<boolean> =>
      notifyResult(
        remove.mutateAsync({ id: item._id }),
        QUEUE_TEXT.actions.removed(titleOf(item)),
        QUEUE_TEXT.error,
        undoInQueue.remove(item),
      ),
    prioritise: (item: QueueItem, value: number): Promise<boolean> =>
      notifyResult(
        priority.mutateAsync({ id: item._id, priority: value }),
        QUEUE_TEXT.actions.priority(titleOf(item), value),
        QUEUE_TEXT.error,
        undoInQueue.priority(item),
      ),
    retry: (item: QueueItem): Promise<boolean> =>
      notifyResult(retry.mutateAsync({ id: item._id }), QUEUE_TEXT.actions.retried(titleOf(item)), QUEUE_TEXT.error),
  };
}
export type QueueActions = ReturnType<typeof useQueueActions>;

/** Bulk changes: one request per post, one refetch at the end. */
export function useChangeManyInQueue() {
  const refresh = useRefreshQueue();
  const run = (items: readonly QueueItem[], change: Pick<ManyChange<QueueItem>, 'title' | 'one' | 'done'>): void =>
    void changeMany(items, { ...change, failed: QUEUE_TEXT.error, refresh: AFTER_QUEUE_CHANGE }).then(refresh);
  return {
    remove: (items: readonly QueueItem[]) =>
      run(items, {
        title: QUEUE_TEXT.bulk.removing,
        one: async (item) => {
          await queueCalls.remove({ id: item._id });
          return undoInQueue.remove(item).steps;
        },
        done: QUEUE_TEXT.bulk.removed,
      }),
    prioritise: (items: readonly QueueItem[], priority: number) =>
      run(items, {
        title: QUEUE_TEXT.bulk.prioritising,
        one: async (item) => {
          await queueCalls.prioritise({ id: item._id, priority });
          return undoInQueue.priority(item).steps;
        },
        done: (posts) => QUEUE_TEXT.bulk.prioritised(posts, priority),
      }),
  };
}
