import { LIMITS, type SchedulerStatistics, type SchedulerStatus } from '@autoposter/contracts';
import type { TaskRun } from '@autoposter/persistence';
import type { Heartbeat } from '../clock/task';

type Described = Pick<Heartbeat, 'id' | 'description'>;

/** From when on the clock runs a task again: in its own beat, or in the task scheduler's interval where that is on and shorter. */
function nextRunOf({ everySeconds }: Heartbeat, lastRun: Date | null, isRunning: boolean): Date | null {
  if (lastRun === null) return null;
  const seconds = isRunning ? Math.min(everySeconds, LIMITS.scheduler.intervalMinutes * 60) : everySeconds;
  return new Date(lastRun.getTime() + seconds * 1000);
}

/** Tasks in the order of the registry; one that never ran is shown with zeros. */
export function presentScheduler(isRunning: boolean, tasks: readonly Heartbeat[], runs: readonly TaskRun[]): SchedulerStatus {
  const byId = new Map(runs.map((run) => [run.id, run]));
  return {
    isRunning,
    intervalMinutes: LIMITS.scheduler.intervalMinutes,
    registeredTasks: tasks.length,
    tasks: tasks.map((task) => {
      const { id, description } = task;
      const run = byId.get(id);
      const lastError =
        run?.lastErrorAt == null ? null : { timestamp: run.lastErrorAt.toISOString(), error: run.lastError ?? 'It failed without a word.' };
      return {
        id,
        description,
        runCount: run?.runCount ?? 0,
        lastRun: run?.lastRunAt?.toISOString() ?? null,
        hasErrors: (run?.errorCount ?? 0) > 0,
        lastError,
        nextRun: nextRunOf(task, run?.lastRunAt ?? null, isRunning)?.toISOString() ?? null,
        recentRuns: run?.recentRuns ?? [],
      };
    }),
  };
}

export function presentStatistics(tasks: readonly Described[], runs: readonly TaskRun[]): SchedulerStatistics {
  const known = new Set(tasks.map((task) => task.id));
  const ours = runs.filter((run) => known.has(run.id));
  const totalRuns = ours.reduce((sum, run) => sum + run.runCount, 0);
  return {
    totalTasks: tasks.length,
    totalRuns,
    totalErrors: ours.reduce((sum, run) => sum + run.errorCount, 0),
    averageRunsPerTask: tasks.length === 0 ? 0 : Math.round((totalRuns / tasks.length) * 100) / 100,
  };
}
