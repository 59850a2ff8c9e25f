import { Inject, Injectable } from '@nestjs/common';
import {
  initialQueueSettings,
  NOT_PAUSED,
  SETTING,
  STOPPED,
  type PublishingSwitch,
  type QueueSettings,
  type SchedulerSwitch,
} from '@autoposter/domain';
import { Database, type UnitOfWork } from '@autoposter/persistence';
import { SETTINGS, type GatewaySettings } from '../bootstrap/settings';
import { bindQueue } from '../instagram-queue/queue-questions';

type SchedulerName = typeof SETTING.subredditScheduler | typeof SETTING.taskScheduler;

/** Settings that administrators change at run time, with their initial values. */
@Injectable()
export class StoredSettings {
  constructor(
    private readonly database: Database,
    @Inject(SETTINGS) private readonly settings: GatewaySettings,
  ) {}

  async queue(uow: UnitOfWork = this.database.read): Promise<QueueSettings> {
    const initial = { ...initialQueueSettings(this.settings.timeZone), running: this.settings.schedulersStart };
    const stored = await uow.settings.get<Partial<QueueSettings>>(SETTING.queue);
    return stored === null ? initial : { ...initial, ...stored };
  }

  async saveQueue(uow: UnitOfWork, settings: QueueSettings, actor: string): Promise<void> {
    await uow.settings.set(SETTING.queue, settings, actor);
  }

  /** The waiting posts go to the account that is configured now. */
  async bindQueueToAccount(uow: UnitOfWork, actor: string): Promise<void> {
    const { instagramAccountId } = this.settings;
    if (instagramAccountId !== null) await bindQueue(uow, instagramAccountId, actor);
  }

  async isRunning(name: SchedulerName, uow: UnitOfWork = this.database.read): Promise<boolean> {
    const stored = await uow.settings.get<SchedulerSwitch>(name);
    return (stored ?? { ...STOPPED, running: this.settings.schedulersStart }).running;
  }

  async publishing(uow: UnitOfWork = this.database.read): Promise<PublishingSwitch> {
    return (await uow.settings.get<PublishingSwitch>(SETTING.publishing)) ?? NOT_PAUSED;
  }
}
