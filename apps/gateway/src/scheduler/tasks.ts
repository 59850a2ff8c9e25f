import type { Heartbeat } from '../clock/task';

/** The tasks on the task scheduler's screen, in this order. */
export const SCHEDULED_TASKS = Symbol('scheduled tasks');
export type ScheduledTasks = readonly Heartbeat[];
