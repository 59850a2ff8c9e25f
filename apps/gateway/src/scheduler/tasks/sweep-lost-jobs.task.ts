import { Injectable } from '@nestjs/common';
import { Database } from '@autoposter/persistence';
import { sweepLost } from '@autoposter/job-engine';
import type { RecurringTask } from '../recurring-task';

@Injectable()
export class SweepLostJobsTask implements RecurringTask {
  readonly id = 'sweep-lost-jobs';
  readonly description = 'Resends the messages of jobs that no worker has claimed.';
  readonly everySeconds = 15;

  constructor(private readonly database: Database) {}

  async run(): Promise<void> {
    await this.database.unitOfWork((uow) => sweepLost(uow));
  }
}
