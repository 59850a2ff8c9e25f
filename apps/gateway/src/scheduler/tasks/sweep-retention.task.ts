import { Injectable } from '@nestjs/common';
import { Database, RETENTION_RULES } from '@autoposter/persistence';
import type { RecurringTask } from '../recurring-task';

const KEEP_DAYS = 30;
const KEEP_BROWSER_ENTRIES = 5000;
/** Rows per statement: each is a transaction of its own and holds its locks for milliseconds. */
const BATCH = 1000;
/** The longest time that one beat takes; the next one continues. Long enough for ten thousands of rows, short enough for a shutdown to wait for. */
const LONGEST_BEAT_MS = 10_000;

@Injectable()
export class SweepRetentionTask implements RecurringTask {
  readonly id = 'sweep-retention';
  readonly description = `Deletes history, sent and unreadable messages, ended work and runs older than ${KEEP_DAYS} days, ended sessions and old browser entries; runs always.`;
  readonly everySeconds = 60;

  constructor(private readonly database: Database) {}

  async run(): Promise<void> {
    const { retention, browserLogs } = this.database.read;
    const began = performance.now();
    const prune = [
      ...RETENTION_RULES.map((rule) => () => retention.prune(rule, KEEP_DAYS, BATCH)),
      () => browserLogs.prune(KEEP_BROWSER_ENTRIES, BATCH),
    ];
    for (const next of prune) {
      while ((await next()) >= BATCH) if (performance.now() - began > LONGEST_BEAT_MS) return;
    }
  }
}
