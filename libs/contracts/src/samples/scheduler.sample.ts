import type { ScheduledTask, SchedulerStatistics, SchedulerStatus } from '../api/scheduler.api';
import { SAMPLE_TIME } from './item.sample';

export const scheduledTaskSample: ScheduledTask = {
  id: 'plan-queue',
  description: 'Gives queue items their time',
  runCount: 120,
  lastRun: SAMPLE_TIME,
  hasErrors: false,
  lastError: null,
};

export const failingTaskSample: ScheduledTask = {
  id: 'check-account',
  description: 'Looks whether the Instagram token still works',
  runCount: 3,
  lastRun: SAMPLE_TIME,
  hasErrors: true,
  lastError: { timestamp: SAMPLE_TIME, error: 'The token expired' },
};

export const schedulerStatusSample: SchedulerStatus = {
  isRunning: true,
  intervalMinutes: 5,
  registeredTasks: 2,
  tasks: [scheduledTaskSample, failingTaskSample],
};

export const schedulerStatisticsSample: SchedulerStatistics = { totalTasks: 2, totalRuns: 123, totalErrors: 1, averageRunsPerTask: 61.5 };
