import type { Task } from '../clock/task';

/** The tasks that the task scheduler runs, in this order. */
export const SCHEDULED_TASKS = Symbol('scheduled tasks');
export type ScheduledTasks = readonly Task[];
