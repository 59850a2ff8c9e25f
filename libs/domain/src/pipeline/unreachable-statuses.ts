import { INITIAL_ITEM_STATES, ITEM_TRANSITIONS } from './item-state';
import { ATTEMPT_TRANSITIONS, INITIAL_ATTEMPT_STATES, INITIAL_QUEUE_STATUSES, QUEUE_TRANSITIONS, unreachableStatuses } from './transitions';

/** Of each status table of the pipeline, the statuses that no transition reaches. A process with one refuses to start. */
export const UNREACHABLE_STATUSES: readonly (readonly [subject: string, statuses: readonly string[]])[] = [
  ['an item', unreachableStatuses(ITEM_TRANSITIONS, INITIAL_ITEM_STATES)],
  ['a queue item', unreachableStatuses(QUEUE_TRANSITIONS, INITIAL_QUEUE_STATUSES)],
  ['a publish attempt', unreachableStatuses(ATTEMPT_TRANSITIONS, INITIAL_ATTEMPT_STATES)],
];
