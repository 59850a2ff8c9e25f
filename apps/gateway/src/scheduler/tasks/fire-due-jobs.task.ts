import { Injectable } from '@nestjs/common';
import { Database } from '@autoposter/persistence';
import { faultPoint, fireDue } from '@autoposter/job-engine';
import type { RecurringTask } from '../recurring-task';

@Injectable()
export class FireDueJobsTask implements RecurringTask {
  readonly id = 'fire-due-jobs';
  readonly description = 'Requests jobs whose wait or retry delay has ended.';
  readonly everySeconds = 1;

  constructor(private readonly database: Database) {}

  async run(): Promise<void> {
    const fired = await this.database.unitOfWork(async (uow) => {
      const count = await fireDue(uow);
      if (count > 0) faultPoint('commit:before');
      return count;
    });
    if (fired > 0) faultPoint('commit:after');
  }
}
