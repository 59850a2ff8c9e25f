import { Injectable } from '@nestjs/common';
import { Database } from '@autoposter/persistence';
import type { RecurringTask } from '../recurring-task';

@Injectable()
export class FoldQueueCountsTask implements RecurringTask {
  readonly id = 'fold-queue-counts';
  readonly description = 'Folds changes into the queue totals, so that they stay fast to read.';
  readonly everySeconds = 60;

  constructor(private readonly database: Database) {}

  run(): Promise<void> {
    return this.database.read.queue.foldCounts();
  }
}
