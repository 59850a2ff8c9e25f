import { type SchedulerStatistics, type SchedulerStatus, LIMITS } from '@autoposter/contracts';
import { secondsAfter, SETTING } from '@autoposter/domain';
import { Database, type TaskRun } from '@autoposter/persistence';
import { Inject, Injectable } from '@nestjs/common';
import { v7 as uuidv7 } from 'uuid';
import { StoredSettings } from '../settings/stored-settings';
import { SCHEDULED_TASKS, type ScheduledTasks, type RecurringTask } from './recurring-task';

/** The task scheduler of the Scheduler Manager screen. Tasks that drive the pipeline are not part of it and always run. */
@Injectable()
export class SchedulerService {
  constructor(
    private readonly database: Database,
    private readonly stored: StoredSettings,
    @Inject(SCHEDULED_TASKS) private readonly tasks: ScheduledTasks,
  ) {}

  async status(): Promise<SchedulerStatus> {
    const [isRunning, runs] = await Promise.all([this.stored.isRunning(SETTING.taskScheduler), this.database.read.tasks.list()]);
    return presentScheduler(isRunning, this.tasks, runs);
  }

  async statistics(): Promise<SchedulerStatistics> {
    return presentStatistics(this.tasks, await this.database.read.tasks.list());
  }

  async setRunning(running: boolean, actor: string): Promise<SchedulerStatus> {
    await this.database.unitOfWork(async (uow) => {
      await uow.settings.set(SETTING.taskScheduler, { running }, actor);
      uow.history.append({
        type: 'scheduler.changed',
        subjectId: uuidv7(),
        state: running ? 'running' : 'stopped',
        reason: 'tasks',
        actor,
      });
      await uow.audit.record({ actor, action: running ? 'scheduler.start' : 'scheduler.stop' });
    });
    return this.status();
  }
}

type Described = Pick<RecurringTask, 'id' | 'description'>;

/** The next run by the task's own interval, or by the task scheduler's if that is on and shorter. */
function nextRunOf({ everySeconds }: RecurringTask, lastRun: Date | null, isRunning: boolean): Date | null {
  if (lastRun === null) return null;
  const seconds = isRunning ? Math.min(everySeconds, LIMITS.scheduler.intervalMinutes * 60) : everySeconds;
  return secondsAfter(lastRun, seconds);
}

function presentScheduler(isRunning: boolean, tasks: readonly RecurringTask[], runs: readonly TaskRun[]): SchedulerStatus {
  const byId = new Map(runs.map((run) => [run.id, run]));
  return {
    isRunning,
    intervalMinutes: LIMITS.scheduler.intervalMinutes,
    registeredTasks: tasks.length,
    tasks: tasks.map((task) => {
      const { id, description } = task;
      const run = byId.get(id);
      const lastError =
        run?.lastErrorAt == null ? null : { timestamp: run.lastErrorAt.toISOString(), error: run.lastError ?? 'Unknown error' };
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

function presentStatistics(tasks: readonly Described[], runs: readonly TaskRun[]): SchedulerStatistics {
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
