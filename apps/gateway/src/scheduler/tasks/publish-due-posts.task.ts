import { Inject, Injectable } from '@nestjs/common';
import { Database } from '@autoposter/persistence';
import { faultPoint } from '@autoposter/job-engine';
import { MediaReach } from '../../instagram/media-reach';
import { dispatchDue } from '../../instagram-queue/dispatch-due';
import { needsPlanning, planSlots } from '../../instagram-queue/plan-slots';
import { StoredSettings } from '../../settings/stored-settings';
import { SETTINGS, type GatewaySettings } from '../../bootstrap/settings';
import type { RecurringTask } from '../recurring-task';
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
    @Inject(SETTINGS) private readonly settings: GatewaySettings,
    private readonly fence: SchedulerFence,
  ) {}

  async run(): Promise<void> {
    const holdsLease = this.fence.forThisRun();
    if ((await this.database.read.queue.next()).waiting === 0) return;
    const settings = await this.stored.queue();
    const { paused } = await this.stored.publishing();
    if (await needsPlanning(this.database.read, settings, paused)) await this.database.unitOfWork((uow) => planSlots(uow, settings));
    const sent = await this.database.unitOfWork(async (uow) => {
      const started = await dispatchDue(uow, {
        settings,
        paused: (await this.stored.publishing(uow)).paused,
        accountId: this.settings.instagramAccountId,
        holdsLease,
        whyNoPost: () => this.reach.whyNothing(uow),
        whyNotPublishable: (files) => this.reach.whyNot(uow, files),
      });
      if (started !== null) faultPoint('commit:before');
      return started;
    });
    if (sent !== null) faultPoint('commit:after');
  }
}
