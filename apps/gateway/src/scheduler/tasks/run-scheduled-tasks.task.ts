import { Inject, Injectable } from '@nestjs/common';
import { LIMITS } from '@autoposter/contracts';
import { SETTING } from '@autoposter/domain';
import { SCHEDULED_TASKS, type ScheduledTasks, type RecurringTask, TaskRecorder } from '../recurring-task';
import { StoredSettings } from '../../settings/stored-settings';

const INTERVAL_SECONDS = LIMITS.scheduler.intervalMinutes * 60;

@Injectable()
export class RunScheduledTasksTask implements RecurringTask {
  readonly id = 'run-scheduled-tasks';
  readonly description = 'Runs the listed tasks at least once per interval while the task scheduler is on.';
  readonly everySeconds = 5;

  constructor(
    private readonly stored: StoredSettings,
    private readonly recorder: TaskRecorder,
    @Inject(SCHEDULED_TASKS) private readonly tasks: ScheduledTasks,
  ) {}

  async run(): Promise<void> {
    if (!(await this.stored.isRunning(SETTING.taskScheduler))) return;
    for (const task of this.tasks) if (task.everySeconds > INTERVAL_SECONDS) await this.recorder.run(task, INTERVAL_SECONDS);
  }
}
