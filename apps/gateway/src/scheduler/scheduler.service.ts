import { Inject, Injectable } from '@nestjs/common';
import type { SchedulerStatistics, SchedulerStatus } from '@autoposter/contracts';
import { SETTING } from '@autoposter/domain';
import { Database } from '@autoposter/persistence';
import { v7 as uuidv7 } from 'uuid';
import { StoredSettings } from '../stored-settings/stored-settings';
import { presentScheduler, presentStatistics } from './scheduler.presenter';
import { SCHEDULED_TASKS, type ScheduledTasks } from './tasks';

/** The switch over the listed tasks. What keeps the pipeline going is not listed and goes on. */
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
