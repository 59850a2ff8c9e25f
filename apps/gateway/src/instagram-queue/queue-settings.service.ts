import { ConflictException, Injectable, UnprocessableEntityException } from '@nestjs/common';
import { ENVIRONMENT_ACCOUNT_ID, type QueueHold, type QueueStatusView, type TimeBlockingBody } from '@autoposter/contracts';
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

/** Settings to change; `replaces` are the stored ones that the person has seen. */
type ChangedSettings = Partial<QueueSettings> & { replaces?: object | undefined };

const CHANGED_MEANWHILE = 'These settings were changed meanwhile. Check the new values, then save again to replace them.';

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

  setTimeBlocking({ timeZone, replaces, ...hours }: TimeBlockingBody, by: QueueChange): Promise<QueueStatusView> {
    if (hours.enabled && hours.startTime === hours.endTime) {
      throw new UnprocessableEntityException('The blocked time must start and end at different times.');
    }
    return this.update('time_blocking', by, ({ timeBlocking }) => ({
      timeBlocking: { ...hours, timeZone: timeZone ?? timeBlocking.timeZone },
      replaces: replaces && { timeBlocking: replaces },
    }));
  }

  /** Changes these settings; `what` names the change in event history and audit log. */
  change(what: string, settings: ChangedSettings, by: QueueChange): Promise<QueueStatusView> {
    return this.update(what, by, () => settings);
  }

  private async update(
    what: string,
    { actor, accountId = ENVIRONMENT_ACCOUNT_ID }: QueueChange,
    changesTo: (settings: QueueSettings) => ChangedSettings,
  ): Promise<QueueStatusView> {
    await this.database.unitOfWork(async (uow) => {
      await this.stored.account(uow, accountId);
      // the settings are stored as one value: changes at the same time would undo each other
      await uow.settings.lock(accountSetting('queue', accountId));
      const before = await this.stored.queue(uow, accountId);
      const { replaces = {}, ...changes } = changesTo(before);
      if (!contains(before, replaces)) throw new ConflictException(CHANGED_MEANWHILE);
      const settings = { ...before, ...changes };
      await this.stored.saveQueue(uow, settings, actor, accountId);
      uow.history.append({ type: 'queue.changed', subjectId: uuidv7(), state: what, actor });
      await uow.audit.record({ actor, action: `queue.${what}`, subject: accountId });
      if (what === 'started') await acceptBacklog(uow, actor, accountId);
      await planSlots(uow, settings, accountId, what === 'started');
    });
    return this.status(accountId);
  }
}

/** Whether the settings have all of these values. */
const contains = (settings: object, seen: object): boolean =>
  Object.entries(seen).every(([name, value]) => {
    const stored = (settings as Record<string, unknown>)[name];
    return typeof value === 'object' ? contains(stored as object, value as object) : stored === value;
  });
