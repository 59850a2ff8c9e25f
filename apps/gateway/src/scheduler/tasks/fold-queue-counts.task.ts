import { Injectable } from '@nestjs/common';
import { Database } from '@autoposter/persistence';
import type { RecurringTask } from '../recurring-task';

@Injectable()
export class FoldQueueCountsTask implements RecurringTask {
  readonly id = 'fold-queue-counts';
  readonly description = 'Adds changes to the queue totals, so that the totals stay fast to read.';
  readonly everySeconds = 60;

  constructor(private readonly database: Database) {}

  run(): Promise<void> {
    return this.database.read.queue.foldCounts();
  }
}
