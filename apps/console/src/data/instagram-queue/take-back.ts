import { api, LIMITS, type QueueItem } from '@autoposter/contracts';
import { keys } from '../http/keys';
import { MADE, type Undo, type UndoStep } from '../undo/undo';

const { setSchedule, setPriority, enqueue } = api.instagramQueue;
/** What a change of the queue makes old. */
export const AFTER_QUEUE_CHANGE = [keys.queue, keys.completed, keys.overview] as const;
const refresh = AFTER_QUEUE_CHANGE;

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
  /** The post comes back with its priority and, if a person had chosen it, its time; else the planner gives it the next free slot. */
  remove: (item: QueueItem): Undo => {
    const { pinned, scheduledFor } = item.scheduling;
    const steps: UndoStep[] = [{ route: enqueue, params: { id: item.itemId ?? '' }, body: { postImmediately: false } }];
    const made = { id: MADE };
    if (item.priority !== LIMITS.queue.priority.default)
      steps.push({ route: setPriority, params: made, body: { priority: item.priority } });
    if (pinned === true && scheduledFor !== null) steps.push({ route: setSchedule, params: made, body: { scheduledFor } });
    return { steps, refresh };
  },
};
