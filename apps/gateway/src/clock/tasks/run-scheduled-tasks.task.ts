import { Inject, Injectable } from '@nestjs/common';
import { LIMITS } from '@autoposter/contracts';
import { SETTING } from '@autoposter/domain';
import { SCHEDULED_TASKS, type ScheduledTasks } from '../../scheduler/tasks';
import { StoredSettings } from '../../stored-settings/stored-settings';
import type { Heartbeat } from '../task';
import { TaskRecorder } from '../task-recorder';

const INTERVAL_SECONDS = LIMITS.scheduler.intervalMinutes * 60;

@Injectable()
export class RunScheduledTasksTask implements Heartbeat {
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
