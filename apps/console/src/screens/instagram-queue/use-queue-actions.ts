import type { QueueItem } from '@autoposter/contracts';
import { errorText } from '../../data/http/client';
import {
  undoInQueue,
  useMoveInQueue,
  useRemoveFromQueue,
  useRetryInQueue,
  useSetPriority,
} from '../../data/instagram-queue/use-change-queue';
import { QUEUE_TEXT as TEXT } from '../../text/instagram-queue.text';
import type { Undo } from '../../data/undo/undo';
import { notify } from '../../ui/notifications';
import { longDay, placeText } from './calendar/calendar-days';

export const titleOf = (item: QueueItem): string => {
  const title = item.sourceData.postTitle;
  return title === null || title === '' ? TEXT.untitled : title;
};

/** Whether its time is still to come. */
export const waits = (item: QueueItem): boolean => item.status === 'pending' || item.status === 'scheduled';

/** Whether it can be taken out; of what is being posted the server knows. */
export const canRemove = (item: QueueItem): boolean => item.removable ?? waits(item);

/** Whether its priority still means anything. */
export const canPrioritise = ({ status }: QueueItem): boolean => status !== 'posting' && status !== 'posted';

const failed = (error: unknown): false => {
  notify.failure(TEXT.error(errorText(error)));
  return false;
};

/** What can be done with a post of the queue. Each shows at once, is taken back when refused, and can be undone. */
export function useQueueActions(timeZone: string) {
  const move = useMoveInQueue();
  const remove = useRemoveFromQueue();
  const priority = useSetPriority();
  const retry = useRetryInQueue();
  const done = (text: string, undo?: Undo): true => {
    if (undo === undefined) notify.success(text);
    else notify.undoable(text, undo);
    return true;
  };
  return {
    busy: (id: string): boolean => [move, remove, priority, retry].some((change) => change.isPending && change.variables.id === id),
    move: (item: QueueItem, at: Date | null): Promise<boolean> => {
      const text = at === null ? TEXT.move.planned(titleOf(item)) : TEXT.move.dropped(titleOf(item), placeText(at, timeZone, longDay));
      return move
        .mutateAsync({ id: item._id, scheduledFor: at?.toISOString() ?? null })
        .then(() => done(text, undoInQueue.move(item)), failed);
    },
    remove: (item: QueueItem): Promise<boolean> =>
      remove.mutateAsync({ id: item._id }).then(() => done(TEXT.actions.removed(titleOf(item)), undoInQueue.remove(item)), failed),
    prioritise: (item: QueueItem, value: number): Promise<boolean> =>
      priority
        .mutateAsync({ id: item._id, priority: value })
        .then(() => done(TEXT.actions.priority(titleOf(item), value), undoInQueue.priority(item)), failed),
    retry: (item: QueueItem): Promise<boolean> =>
      retry.mutateAsync({ id: item._id }).then(() => done(TEXT.actions.retried(titleOf(item))), failed),
  };
}
export type QueueActions = ReturnType<typeof useQueueActions>;
