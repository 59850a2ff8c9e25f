import { z } from 'zod';
import { momentSchema, successOf } from './envelope.api';
import { defineRoutes, get, post } from './route';

/** A run that ended. */
const taskRunSchema = z.object({ startedAt: momentSchema, durationMs: z.int().min(0), ok: z.boolean() });
export type RecentTaskRun = z.infer<typeof taskRunSchema>;

/**
 * The scheduler runs the task in its first round after `nextRun`: in the past where it is due; `null` where it is due at once for the first
 * time, or the scheduler is stopped. `recentRuns` are the last ones, newest first.
 */
const scheduledTaskSchema = z.object({
  id: z.string(),
  description: z.string(),
  runCount: z.int().min(0),
  lastRun: momentSchema.nullable(),
  hasErrors: z.boolean(),
  lastError: z.object({ timestamp: momentSchema, error: z.string() }).nullable(),
  nextRun: momentSchema.nullable(),
  recentRuns: z.array(taskRunSchema).max(20),
});
export type ScheduledTask = z.infer<typeof scheduledTaskSchema>;

const schedulerStatusSchema = z.object({
  isRunning: z.boolean(),
  intervalMinutes: z.number().min(0),
  registeredTasks: z.int().min(0),
  tasks: z.array(scheduledTaskSchema),
});
export type SchedulerStatus = z.infer<typeof schedulerStatusSchema>;

const schedulerStatisticsSchema = z.object({
  totalTasks: z.int().min(0),
  totalRuns: z.int().min(0),
  totalErrors: z.int().min(0),
  averageRunsPerTask: z.number().min(0),
});
export type SchedulerStatistics = z.infer<typeof schedulerStatisticsSchema>;

const status = { response: successOf(schedulerStatusSchema) };

export const schedulerRoutes = defineRoutes({
  status: get('/api/scheduler/status', 'State and tasks of the task scheduler', status),
  statistics: get('/api/scheduler/statistics', 'Numbers of the task scheduler', { response: successOf(schedulerStatisticsSchema) }),
  start: post('/api/scheduler/start', 'Starts the task scheduler', status),
  stop: post('/api/scheduler/stop', 'Stops the task scheduler', status),
});
