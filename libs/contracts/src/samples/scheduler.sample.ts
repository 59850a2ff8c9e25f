import type { ScheduledTask, SchedulerStatistics, SchedulerStatus } from '../api/scheduler.api';
import { SAMPLE_TIME } from './item.sample';

export const scheduledTaskSample: ScheduledTask = {
  id: 'plan-queue',
  description: 'Gives queue items their time',
  runCount: 120,
  lastRun: SAMPLE_TIME,
  hasErrors: false,
  lastError: null,
  nextRun: '2026-11-21T09:05:00.000Z',
  recentRuns: [{ startedAt: SAMPLE_TIME, durationMs: 180, ok: true }],
};

export const failingTaskSample: ScheduledTask = {
  id: 'check-account',
  description: 'Looks whether the Instagram token still works',
  runCount: 3,
  lastRun: SAMPLE_TIME,
  hasErrors: true,
  lastError: { timestamp: SAMPLE_TIME, error: 'The token expired' },
  nextRun: null,
  recentRuns: [
    { startedAt: SAMPLE_TIME, durationMs: 1200, ok: false },
    { startedAt: SAMPLE_TIME, durationMs: 90, ok: true },
  ],
};

export const schedulerStatusSample: SchedulerStatus = {
  isRunning: true,
  intervalMinutes: 5,
  registeredTasks: 2,
  tasks: [scheduledTaskSample, failingTaskSample],
};

export const schedulerStatisticsSample: SchedulerStatistics = { totalTasks: 2, totalRuns: 123, totalErrors: 1, averageRunsPerTask: 61.5 };
