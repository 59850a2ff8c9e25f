import { Injectable, UnprocessableEntityException } from '@nestjs/common';
import {
  ENVIRONMENT_ACCOUNT_ID,
  type QueueHold,
  type QueueStatusView,
  type RandomizationBody,
  type TimeBlockingBody,
  type UncheckedPolicy,
} from '@autoposter/contracts';
import { accountSetting, type AccountHold, type PublishingSwitch, type QueueSettings } from '@autoposter/domain';
import { Database } from '@autoposter/persistence';
import { v7 as uuidv7 } from 'uuid';
import { MediaReach } from '../instagram/media-reach';
import { planSlots } from './plan-slots';
import { acceptBacklog } from './queue-questions';
import { StoredSettings } from '../settings/stored-settings';
import { presentHold, presentQueueStatus } from './instagram-queue.presenter';

/** Who changes the queue, and of which account; by default the account of the environment. */
interface QueueChange {
  actor: string;
  accountId?: string | undefined;
}

/** Settings of the queue of an account. Each change plans the slots again. */
@Injectable()
export class QueueSettingsService {
  constructor(
    private readonly database: Database,
    private readonly stored: StoredSettings,
    private readonly reach: MediaReach,
  ) {}

  async status(accountId = ENVIRONMENT_ACCOUNT_ID): Promise<QueueStatusView> {
    const { read } = this.database;
    const [settings, publishing, { next, waiting }] = await Promise.all([
      this.stored.queue(read, accountId),
      this.stored.publishing(read, accountId),
      read.queue.next(accountId),
    ]);
    return presentQueueStatus(settings, publishing, await this.holdUnder(publishing, accountId), next, waiting);
  }

  /** Why the account publishes nothing at the moment. */
  async hold(accountId = ENVIRONMENT_ACCOUNT_ID): Promise<QueueHold | null> {
    return this.holdUnder(await this.stored.publishing(this.database.read, accountId), accountId);
  }

  private async holdUnder(publishing: PublishingSwitch, accountId: string): Promise<QueueHold | null> {
    const { read } = this.database;
    const account = await this.stored.account(read, accountId);
    const [unreachable, accountHold, now] = await Promise.all([
      this.reach.whyNothing(read, account),
      read.settings.get<AccountHold>(accountSetting('accountHold', accountId)),
      read.now(),
    ]);
    return presentHold(publishing, unreachable, accountHold, now);
  }

  setRunning(running: boolean, { actor, accountId }: QueueChange): Promise<QueueStatusView> {
    return this.save({ actor, accountId }, running ? 'started' : 'stopped', (settings) => ({ ...settings, running }));
  }

  setBacklogLimit(backlogLimit: number, { actor, accountId }: QueueChange): Promise<QueueStatusView> {
    return this.save({ actor, accountId }, 'backlog_limit', (settings) => ({ ...settings, backlogLimit }));
  }

  setEqualFailures(equalFailures: number, { actor, accountId }: QueueChange): Promise<QueueStatusView> {
    return this.save({ actor, accountId }, 'equal_failures', (settings) => ({ ...settings, equalFailures }));
  }

  setUncheckedPosts(uncheckedPosts: UncheckedPolicy, { actor, accountId }: QueueChange): Promise<QueueStatusView> {
    return this.save({ actor, accountId }, 'unchecked_posts', (settings) => ({ ...settings, uncheckedPosts }));
  }

  setInterval(intervalMinutes: number, { actor, accountId }: QueueChange): Promise<QueueStatusView> {
    return this.save({ actor, accountId }, 'interval', (settings) => ({ ...settings, intervalMinutes }));
  }

  setTimeBlocking(body: TimeBlockingBody, { actor, accountId }: QueueChange): Promise<QueueStatusView> {
    if (body.enabled && body.startTime === body.endTime) {
      throw new UnprocessableEntityException('The blocked time must start and end at different times.');
    }
    return this.save({ actor, accountId }, 'time_blocking', (settings) => ({
      ...settings,
      timeBlocking: { ...body, timeZone: body.timeZone ?? settings.timeBlocking.timeZone },
    }));
  }

  setRandomization(randomization: RandomizationBody, { actor, accountId }: QueueChange): Promise<QueueStatusView> {
    return this.save({ actor, accountId }, 'randomization', (settings) => ({ ...settings, randomization }));
  }

  private async save(
    { actor, accountId = ENVIRONMENT_ACCOUNT_ID }: QueueChange,
    what: string,
    change: (settings: QueueSettings) => QueueSettings,
  ): Promise<QueueStatusView> {
    await this.database.unitOfWork(async (uow) => {
      await this.stored.account(uow, accountId);
      // the settings are stored as one value: changes at the same time would undo each other
      await uow.settings.lock(accountSetting('queue', accountId));
      const settings = change(await this.stored.queue(uow, accountId));
      await this.stored.saveQueue(uow, settings, actor, accountId);
      uow.history.append({ type: 'queue.changed', subjectId: uuidv7(), state: what, actor });
      await uow.audit.record({ actor, action: `queue.${what}` });
      if (what === 'started') await acceptBacklog(uow, actor, accountId);
      await planSlots(uow, settings, accountId, what === 'started');
    });
    return this.status(accountId);
  }
}
