import { Injectable } from '@nestjs/common';
import { Database } from '@autoposter/persistence';
import type { Task } from '../task';

const KEEP_DAYS = 30;
const KEEP_BROWSER_ENTRIES = 5000;

@Injectable()
export class SweepRetentionTask implements Task {
  readonly id = 'sweep-retention';
  readonly description = `Deletes history and sent messages older than ${KEEP_DAYS} days, ended sessions and old browser entries.`;

  constructor(private readonly database: Database) {}

  async run(): Promise<void> {
    const { history, outbox, stageRuns, sessions, namedCalls, browserLogs } = this.database.read;
    await history.prune(KEEP_DAYS);
    await outbox.prune(KEEP_DAYS);
    await stageRuns.prune(KEEP_DAYS);
    await sessions.prune();
    await namedCalls.prune();
    await browserLogs.prune(KEEP_BROWSER_ENTRIES);
  }
}
