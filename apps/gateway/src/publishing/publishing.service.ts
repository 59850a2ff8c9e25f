import { ConflictException, Injectable } from '@nestjs/common';
import { ENVIRONMENT_ACCOUNT_ID, PUBLISH_STAGE, type Publishing } from '@autoposter/contracts';
import { accountSetting, NOT_PAUSED, type PublishingSwitch } from '@autoposter/domain';
import { Database, type UnitOfWork } from '@autoposter/persistence';
import { v7 as uuidv7 } from 'uuid';
import { ACCOUNT_REPORT, type AccountFindings } from '../instagram/media-reach';
import { lockQueue, planSlots } from '../instagram-queue/plan-slots';
import { acceptBacklog } from '../instagram-queue/queue-questions';
import { StoredSettings } from '../settings/stored-settings';

const TOKEN_STILL_REFUSED =
  'Instagram has not accepted the access token since it refused it. Set a new INSTAGRAM_ACCESS_TOKEN and restart the publishing worker. It checks the account when it starts and every ten minutes; publishing can be resumed once the account is connected again.';

const CONNECT_AGAIN =
  'Instagram has not accepted the access token of this account since it refused it. Connect the account again; publishing can be resumed once a check has succeeded.';

/** Pauses and resumes publishing on one account; the pause of a person on the account of the environment holds for all accounts. */
@Injectable()
export class PublishingService {
  constructor(
    private readonly database: Database,
    private readonly settings: StoredSettings,
  ) {}

  state(): Promise<Publishing> {
    return this.settings.publishing();
  }

  /** Idempotent: keeps the first actor and time. */
  async pause(actor: string, accountId = ENVIRONMENT_ACCOUNT_ID): Promise<Publishing> {
    return this.database.unitOfWork((uow) => this.pauseIn(uow, actor, accountId));
  }

  /** As `pause`, in the transaction that gives the reason for it. */
  async pauseIn(uow: UnitOfWork, actor: string, accountId = ENVIRONMENT_ACCOUNT_ID): Promise<Publishing> {
    const { after } = await this.change(uow, { actor, accountId }, (before, since) =>
      before.paused ? before : { paused: true, by: actor, since, cause: 'person' },
    );
    return after;
  }

  /**
   * Lets the queue continue with the posts that missed their time, and on the account that is configured now. After a refused token, requires a
   * successful account check first; otherwise the next post would pause publishing again.
   */
  async resume(actor: string, accountId = ENVIRONMENT_ACCOUNT_ID): Promise<Publishing> {
    const { before: previous, after } = await this.database.unitOfWork(async (uow) => {
      const shown = (await uow.settings.get<PublishingSwitch>(accountSetting('publishing', accountId))) ?? NOT_PAUSED;
      if (!shown.paused) return { before: shown, after: shown };
      // before the lock of the switch, as planning does when it pauses
      await lockQueue(uow, accountId);
      return this.change(uow, { actor, accountId }, async (before, since) => {
        if (!before.paused) return before;
        if (before.cause === 'token' && !(await this.isAccountConnectedSince(uow, before.since, accountId)))
          throw new ConflictException(accountId === ENVIRONMENT_ACCOUNT_ID ? TOKEN_STILL_REFUSED : CONNECT_AGAIN);
        await acceptBacklog(uow, actor, accountId);
        await planSlots(uow, await this.settings.queue(uow, accountId), accountId, true);
        if (before.cause === 'account_changed') await this.settings.bindQueueToAccount(uow, actor);
        return { ...NOT_PAUSED, by: actor, since };
      });
    });
    // Jobs that waited for the end of the pause check again now; the others check once more than needed.
    if (previous.paused) await this.database.read.jobs.makeWaitingDue(PUBLISH_STAGE);
    return after;
  }

  private async change(
    uow: UnitOfWork,
    { actor, accountId }: { actor: string; accountId: string },
    decide: (before: PublishingSwitch, now: string) => PublishingSwitch | Promise<PublishingSwitch>,
  ): Promise<{ before: PublishingSwitch; after: PublishingSwitch }> {
    const name = accountSetting('publishing', accountId);
    await uow.settings.lock(name);
    const before = (await uow.settings.get<PublishingSwitch>(name)) ?? NOT_PAUSED;
    const after = await decide(before, (await uow.now()).toISOString());
    if (after === before) return { before, after };
    await uow.settings.set(name, after, actor);
    uow.history.append({ type: after.paused ? 'publishing.paused' : 'publishing.resumed', subjectId: uuidv7(), actor });
    await uow.audit.record({ actor, action: after.paused ? 'publishing.pause' : 'publishing.resume', ...ofConnected(accountId) });
    return { before, after };
  }

  private async isAccountConnectedSince(uow: UnitOfWork, since: string | null, accountId: string): Promise<boolean> {
    if (accountId !== ENVIRONMENT_ACCOUNT_ID) {
      const account = await uow.accounts.find(accountId);
      return account?.status === 'ready' && account.checkedAt !== null && account.checkedAt.getTime() > Date.parse(since ?? '');
    }
    const found = await uow.workerReports.find<AccountFindings>(ACCOUNT_REPORT);
    return found?.report.ok === true && (since === null || found.reportedAt.getTime() > Date.parse(since));
  }
}

const ofConnected = (accountId: string): { subject?: string } => (accountId === ENVIRONMENT_ACCOUNT_ID ? {} : { subject: accountId });
