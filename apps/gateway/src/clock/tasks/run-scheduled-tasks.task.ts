import { Inject, Injectable } from '@nestjs/common';
import { LIMITS } from '@autoposter/contracts';
import { SETTING } from '@autoposter/domain';
import { SCHEDULED_TASKS, type ScheduledTasks } from '../../scheduler/tasks';
import { StoredSettings } from '../../stored-settings/stored-settings';
import { isHeartbeat, type Heartbeat } from '../task';
import { TaskRecorder } from '../task-recorder';

const INTERVAL_MS = LIMITS.scheduler.intervalMinutes * 60_000;

@Injectable()
export class RunScheduledTasksTask implements Heartbeat {
  readonly id = 'run-scheduled-tasks';
  readonly description = 'Runs the listed tasks that have no beat of their own while the task scheduler is on.';
  readonly everySeconds = 5;

  constructor(
    private readonly stored: StoredSettings,
    private readonly recorder: TaskRecorder,
    @Inject(SCHEDULED_TASKS) private readonly tasks: ScheduledTasks,
  ) {}

  async run(now: Date): Promise<void> {
    if (!(await this.stored.isRunning(SETTING.taskScheduler))) return;
    const notSince = new Date(now.getTime() - INTERVAL_MS);
    for (const task of this.tasks) if (!isHeartbeat(task)) await this.recorder.run(task, now, notSince);
  }
}
