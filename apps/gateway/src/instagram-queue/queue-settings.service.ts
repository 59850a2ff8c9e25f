import { Injectable, UnprocessableEntityException } from '@nestjs/common';
import type { QueueHold, QueueStatusView, RandomizationBody, TimeBlockingBody, UncheckedPolicy } from '@autoposter/contracts';
import { SETTING, type AccountHold, type PublishingSwitch, type QueueSettings } from '@autoposter/domain';
import { Database } from '@autoposter/persistence';
import { v7 as uuidv7 } from 'uuid';
import { MediaReach } from '../instagram/media-reach';
import { planSlots } from './plan-slots';
import { acceptBacklog } from './queue-questions';
import { StoredSettings } from '../settings/stored-settings';
import { presentHold, presentQueueStatus } from './instagram-queue.presenter';

/** Settings of the queue. Each change plans the slots again. */
@Injectable()
export class QueueSettingsService {
  constructor(
    private readonly database: Database,
    private readonly stored: StoredSettings,
    private readonly reach: MediaReach,
  ) {}

  async status(): Promise<QueueStatusView> {
    const [settings, publishing, { next, waiting }] = await Promise.all([
      this.stored.queue(),
      this.stored.publishing(),
      this.database.read.queue.next(),
    ]);
    return presentQueueStatus(settings, publishing, await this.holdUnder(publishing), next, waiting);
  }

  /** Why the account publishes nothing at the moment. */
  async hold(): Promise<QueueHold | null> {
    return this.holdUnder(await this.stored.publishing());
  }

  private async holdUnder(publishing: PublishingSwitch): Promise<QueueHold | null> {
    const { read } = this.database;
    const [unreachable, accountHold, now] = await Promise.all([
      this.reach.whyNothing(read),
      read.settings.get<AccountHold>(SETTING.accountHold),
      read.now(),
    ]);
    return presentHold(publishing, unreachable, accountHold, now);
  }

  setRunning(running: boolean, actor: string): Promise<QueueStatusView> {
    return this.save(actor, running ? 'started' : 'stopped', (settings) => ({ ...settings, running }));
  }

  setBacklogLimit(backlogLimit: number, actor: string): Promise<QueueStatusView> {
    return this.save(actor, 'backlog_limit', (settings) => ({ ...settings, backlogLimit }));
  }

  setUncheckedPosts(uncheckedPosts: UncheckedPolicy, actor: string): Promise<QueueStatusView> {
    return this.save(actor, 'unchecked_posts', (settings) => ({ ...settings, uncheckedPosts }));
  }

  setInterval(intervalMinutes: number, actor: string): Promise<QueueStatusView> {
    return this.save(actor, 'interval', (settings) => ({ ...settings, intervalMinutes }));
  }

  setTimeBlocking(body: TimeBlockingBody, actor: string): Promise<QueueStatusView> {
    if (body.enabled && body.startTime === body.endTime) {
      throw new UnprocessableEntityException('The blocked time must start and end at different times.');
    }
    return this.save(actor, 'time_blocking', (settings) => ({
      ...settings,
      timeBlocking: { ...body, timeZone: body.timeZone ?? settings.timeBlocking.timeZone },
    }));
  }

  setRandomization(randomization: RandomizationBody, actor: string): Promise<QueueStatusView> {
    return this.save(actor, 'randomization', (settings) => ({ ...settings, randomization }));
  }

  private async save(actor: string, what: string, change: (settings: QueueSettings) => QueueSettings): Promise<QueueStatusView> {
    await this.database.unitOfWork(async (uow) => {
      const settings = change(await this.stored.queue(uow));
      await this.stored.saveQueue(uow, settings, actor);
      uow.history.append({ type: 'queue.changed', subjectId: uuidv7(), state: what, actor });
      await uow.audit.record({ actor, action: `queue.${what}` });
      if (what === 'started') await acceptBacklog(uow, actor);
      await planSlots(uow, settings, what === 'started');
    });
    return this.status();
  }
}
