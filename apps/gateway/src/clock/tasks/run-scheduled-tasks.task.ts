import { Inject, Injectable } from '@nestjs/common';
import { LIMITS } from '@autoposter/contracts';
import { SETTING } from '@autoposter/domain';
import type { Logger } from '@autoposter/observability';
import { Database } from '@autoposter/persistence';
import { SCHEDULED_TASKS, type ScheduledTasks } from '../../scheduler/tasks';
import { StoredSettings } from '../../stored-settings/stored-settings';
import { LOGGER } from '../../wiring/systems';
import type { Heartbeat } from '../task';

const INTERVAL_MS = LIMITS.scheduler.intervalMinutes * 60_000;
const MAX_ERROR = 500;

@Injectable()
export class RunScheduledTasksTask implements Heartbeat {
  readonly id = 'run-scheduled-tasks';
  readonly description = 'Runs the listed tasks while the task scheduler is on.';
  readonly everySeconds = 5;

  constructor(
    private readonly database: Database,
    private readonly stored: StoredSettings,
    @Inject(SCHEDULED_TASKS) private readonly tasks: ScheduledTasks,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async run(now: Date): Promise<void> {
    if (!(await this.stored.isRunning(SETTING.taskScheduler))) return;
    const runs = new Map((await this.database.read.tasks.list()).map((run) => [run.id, run]));
    for (const task of this.tasks) {
      const last = runs.get(task.id)?.lastRunAt;
      if (last && now.getTime() - last.getTime() < INTERVAL_MS) continue;
      const error = await task.run(now).then(
        () => null,
        (reason: unknown) => reason,
      );
      if (error !== null) this.logger.error({ err: error, task: task.id }, 'a scheduled task failed');
      const words = error === null ? null : (error instanceof Error ? error.message : 'It failed without a word.').slice(0, MAX_ERROR);
      await this.database.read.tasks.record(task.id, words);
    }
  }
}
