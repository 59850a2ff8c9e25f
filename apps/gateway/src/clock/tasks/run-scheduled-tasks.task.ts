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
    const notSince = new Date(now.getTime() - INTERVAL_MS);
    for (const task of this.tasks) {
      // Claimed for itself: who has just lost the clock may still be on its way through the list.
      if (!(await this.database.read.tasks.claim(task.id, notSince))) continue;
      try {
        await task.run(now);
      } catch (error) {
        this.logger.error({ err: error, task: task.id }, 'a scheduled task failed');
        const words = error instanceof Error ? error.message : 'It failed without a word.';
        await this.database.read.tasks.fail(task.id, words.slice(0, MAX_ERROR));
      }
    }
  }
}
