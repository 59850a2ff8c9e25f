import { ConflictException, Inject, Injectable, NotFoundException } from '@nestjs/common';
import { ENVIRONMENT_ACCOUNT_ID } from '@autoposter/contracts';
import {
  accountSetting,
  failureOf,
  initialQueueSettings,
  NOT_PAUSED,
  pausesAll,
  SETTING,
  STOPPED,
  STRIKES,
  type ApiAccess,
  type PublishingSwitch,
  type QueueSettings,
  type SchedulerSwitch,
} from '@autoposter/domain';
import { Database, type UnitOfWork } from '@autoposter/persistence';
import { SETTINGS, type GatewaySettings } from '../bootstrap/settings';
import { bindQueue } from '../instagram-queue/queue-questions';

type SchedulerName = typeof SETTING.subredditScheduler | typeof SETTING.taskScheduler;

/** How posts of one account are published. */
export interface PublishingAccount {
  id: string;
  /** Its id for publishing; `null` while it is not configured or not ready. */
  userId: string | null;
  /** `null` while none is configured, and for a disconnected account. */
  api: ApiAccess | null;
}

/** Settings that administrators change at run time, with their initial values. */
@Injectable()
export class StoredSettings {
  constructor(
    private readonly database: Database,
    @Inject(SETTINGS) private readonly settings: GatewaySettings,
  ) {}

  async queue(uow: UnitOfWork = this.database.read, accountId = ENVIRONMENT_ACCOUNT_ID): Promise<QueueSettings> {
    const initial = { ...initialQueueSettings(this.settings.timeZone), running: this.settings.schedulersStart };
    const stored = await uow.settings.get<Partial<QueueSettings>>(accountSetting('queue', accountId));
    return stored === null ? initial : { ...initial, ...stored };
  }

  async saveQueue(uow: UnitOfWork, settings: QueueSettings, actor: string, accountId = ENVIRONMENT_ACCOUNT_ID): Promise<void> {
    await uow.settings.set(accountSetting('queue', accountId), settings, actor);
  }

  async account(uow: UnitOfWork, id = ENVIRONMENT_ACCOUNT_ID): Promise<PublishingAccount> {
    const { instagramAccountId, instagramApi, instagramLogin } = this.settings;
    if (id === ENVIRONMENT_ACCOUNT_ID) return { id, userId: instagramAccountId, api: instagramApi };
    const { login, status, userId } = await connectedAccount(uow, id);
    const isConnected = login !== null && status !== 'disconnected';
    return {
      id,
      // one that has become the account of the environment since: two queues would publish on it at twice the pace
      userId: status === 'ready' && userId !== instagramAccountId ? userId : null,
      api: isConnected ? { flavour: login, version: instagramLogin.apiVersion } : null,
    };
  }

  /** Its id for publishing, whether or not it can publish at present; `null` for that of the environment while it is not configured. */
  async userIdOf(uow: UnitOfWork, id: string): Promise<string | null> {
    return id === ENVIRONMENT_ACCOUNT_ID ? this.settings.instagramAccountId : (await connectedAccount(uow, id)).userId;
  }

  /** The account that a post is queued for, which stays connected until this transaction ends. Take it before the item is locked. */
  async accountForQueue(uow: UnitOfWork, id = ENVIRONMENT_ACCOUNT_ID): Promise<PublishingAccount> {
    if (id !== ENVIRONMENT_ACCOUNT_ID) await uow.accounts.keepConnected(id);
    const account = await this.account(uow, id);
    if (id !== ENVIRONMENT_ACCOUNT_ID && account.api === null)
      throw new ConflictException('This account is disconnected; connect it again under Settings.');
    return account;
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

  /** What pauses an account: its own switch, or the one with which a person pauses everything. */
  async publishing(uow: UnitOfWork = this.database.read, accountId = ENVIRONMENT_ACCOUNT_ID): Promise<PublishingSwitch> {
    const first = (await uow.settings.get<PublishingSwitch>(SETTING.publishing)) ?? NOT_PAUSED;
    if (accountId === ENVIRONMENT_ACCOUNT_ID || pausesAll(first)) return withStrikesNow(uow, first, ENVIRONMENT_ACCOUNT_ID);
    const own = (await uow.settings.get<PublishingSwitch>(accountSetting('publishing', accountId))) ?? NOT_PAUSED;
    return withStrikesNow(uow, own, accountId);
  }
}

/** Only a person ends a pause for strikes: once they were cleared or have expired, it says so. */
async function withStrikesNow(uow: UnitOfWork, publishing: PublishingSwitch, accountId: string): Promise<PublishingSwitch> {
  if (!publishing.paused || publishing.cause !== 'strikes') return publishing;
  if ((await uow.notices.countStrikes(accountId)).active >= STRIKES.pausesAt) return publishing;
  const { message: reason, nextAction } = failureOf('strikes_over');
  return { ...publishing, reason, nextAction };
}

async function connectedAccount(uow: UnitOfWork, id: string) {
  const found = await uow.accounts.find(id);
  if (found === null) throw new NotFoundException('There is no such Instagram account.');
  return found;
}
