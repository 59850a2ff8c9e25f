import { api, type QueueItem } from '@autoposter/contracts';
import type { Undo } from '../../ui/notices/notice-store';
import { keys } from '../http/keys';

const { setSchedule, setPriority, enqueue } = api.instagramQueue;
const refresh = [keys.queue, keys.completed, keys.overview] as const;

/** The calls that take a change of the queue back; each is a change of its own, as nothing was held back meanwhile. */
export const takeBack = {
  /** The time that a person had chosen, else the planner's choice. */
  move: (item: QueueItem): Undo => {
    const scheduledFor = item.scheduling.pinned === true ? item.scheduling.scheduledFor : null;
    return { steps: [{ route: setSchedule, params: { id: item._id }, body: { scheduledFor } }], refresh };
  },
  priority: (item: QueueItem): Undo => ({
    steps: [{ route: setPriority, params: { id: item._id }, body: { priority: item.priority } }],
    refresh,
  }),
  remove: (item: QueueItem): Undo => ({
    steps: [{ route: enqueue, params: { id: item.itemId ?? '' }, body: { postImmediately: false } }],
    refresh,
  }),
};
