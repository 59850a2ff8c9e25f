import { Injectable } from '@nestjs/common';
import { nextRun, REDDIT_ACCESS, SCHEDULER_ACTOR, SETTING, type SourceAccess } from '@autoposter/domain';
import { Database, type UnitOfWork } from '@autoposter/persistence';
import { faultPoint } from '@autoposter/job-engine';
import { StoredSettings } from '../../settings/stored-settings';
import { requestCollect } from '../../subreddits/subreddits.service';
import type { RecurringTask } from '../recurring-task';

const BATCH = 20;
/** While Reddit denies access, a running downloader reports it every minute. An older report means that no downloader runs; one collect run starts it. */
const REPORTED_WITHIN_MS = 10 * 60_000;

@Injectable()
export class PlanSubredditRunsTask implements RecurringTask {
  readonly id = 'plan-subreddit-runs';
  readonly description = 'Starts a run of each subreddit whose interval is over.';
  readonly everySeconds = 5;

  constructor(
    private readonly database: Database,
    private readonly stored: StoredSettings,
  ) {}

  async run(): Promise<void> {
    if (!(await this.stored.isRunning(SETTING.subredditScheduler))) return;
    const planned = await this.database.unitOfWork(async (uow) => {
      const limit = await this.runsAllowed(uow);
      const due = limit === 0 ? [] : await uow.subreddits.lockDue(limit);
      for (const subreddit of due) {
        if ((await requestCollect(uow, subreddit, SCHEDULER_ACTOR)) !== null) continue;
        // a manual run is still open: the next run is due one interval later
        const now = await uow.now();
        await uow.subreddits.patch(subreddit.id, { nextRunAt: nextRun(now, subreddit.intervalMinutes, now) });
      }
      if (due.length > 0) faultPoint('commit:before');
      return due.length;
    });
    if (planned > 0) faultPoint('commit:after');
  }

  /** 0 while Reddit denies all access; due subreddits stay due. */
  private async runsAllowed(uow: UnitOfWork): Promise<number> {
    const access = await uow.workerReports.find<SourceAccess>(REDDIT_ACCESS);
    if (access === null || access.report.denied === null) return BATCH;
    return (await uow.now()).getTime() - access.reportedAt.getTime() < REPORTED_WITHIN_MS ? 0 : 1;
  }
}
