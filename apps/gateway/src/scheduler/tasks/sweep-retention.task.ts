import { Injectable } from '@nestjs/common';
import { Database, RETENTION_RULES } from '@autoposter/persistence';
import { forEachSubject, type RecurringTask } from '../recurring-task';

const KEEP_DAYS = 30;
const KEEP_BROWSER_ENTRIES = 5000;
/** Rows per statement; each statement is a transaction that holds its locks for milliseconds. */
const BATCH = 1000;
/** Limit of one run; the next run continues. Enough for tens of thousands of rows, short enough for a shutdown to wait. */
const MAX_RUN_MS = 10_000;

@Injectable()
export class SweepRetentionTask implements RecurringTask {
  readonly id = 'sweep-retention';
  readonly description = `Deletes history, sent and quarantined messages, finished jobs and runs older than ${KEEP_DAYS} days, expired sessions and old browser logs; always on.`;
  readonly everySeconds = 60;

  constructor(private readonly database: Database) {}

  async run(): Promise<void> {
    const { retention, browserLogs } = this.database.read;
    const began = performance.now();
    const prune = [
      ...RETENTION_RULES.map((rule) => () => retention.prune(rule, KEEP_DAYS, BATCH)),
      () => browserLogs.prune(KEEP_BROWSER_ENTRIES, BATCH),
    ];
    let failure: unknown = null;
    // one batch of each in turn: a table with many old rows keeps no other waiting
    for (let left = prune; left.length > 0 && performance.now() - began <= MAX_RUN_MS;) {
      const full: typeof prune = [];
      await forEachSubject(left, async (next) => {
        if ((await next()) >= BATCH) full.push(next);
      }).catch((error: unknown) => (failure ??= error));
      left = full;
    }
    if (failure !== null) throw failure;
  }
}
