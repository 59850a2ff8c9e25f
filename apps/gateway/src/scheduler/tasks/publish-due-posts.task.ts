import { Injectable } from '@nestjs/common';
import { Database, type UnitOfWork } from '@autoposter/persistence';
import { faultPoint } from '@autoposter/job-engine';
import { MediaReach } from '../../instagram/media-reach';
import { dispatchDue } from '../../instagram-queue/dispatch-due';
import { needsPlanning, planSlots } from '../../instagram-queue/plan-slots';
import { StoredSettings } from '../../settings/stored-settings';
import { forEachSubject, type RecurringTask } from '../recurring-task';
import { SchedulerFence } from '../scheduler';

@Injectable()
export class PublishDuePostsTask implements RecurringTask {
  readonly id = 'publish-due-posts';
  readonly description = 'Assigns slots to queued posts and posts the one that is due.';
  readonly everySeconds = 2;

  constructor(
    private readonly database: Database,
    private readonly stored: StoredSettings,
    private readonly reach: MediaReach,
    private readonly fence: SchedulerFence,
  ) {}

  async run(): Promise<void> {
    const holdsLease = this.fence.forThisRun();
    await forEachSubject(await this.database.read.queue.accountsWaiting(), (id) => this.publishFor(id, holdsLease));
  }

  private async publishFor(queueOf: string, holdsLease: (uow: UnitOfWork) => Promise<boolean>): Promise<void> {
    const account = await this.stored.account(this.database.read, queueOf);
    const settings = await this.stored.queue(this.database.read, queueOf);
    const { paused } = await this.stored.publishing(this.database.read, queueOf);
    if (await needsPlanning(this.database.read, settings, paused, queueOf))
      await this.database.unitOfWork((uow) => planSlots(uow, settings, queueOf));
    const sent = await this.database.unitOfWork(async (uow) => {
      const started = await dispatchDue(uow, {
        settings,
        paused: (await this.stored.publishing(uow, queueOf)).paused,
        queueOf,
        accountId: account.userId,
        holdsLease,
        whyNoPost: () => this.reach.whyNothing(uow, account),
        whyNotPublishable: (files) => this.reach.whyNot(uow, files, account),
      });
      if (started !== null) faultPoint('commit:before');
      return started;
    });
    if (sent !== null) faultPoint('commit:after');
  }
}
