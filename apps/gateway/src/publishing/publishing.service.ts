import { setTimeout as pause } from 'node:timers/promises';
import { ConflictException, Inject, Injectable } from '@nestjs/common';
import { ENVIRONMENT_ACCOUNT_ID, PUBLISH_STAGE, type Publishing } from '@autoposter/contracts';
import { ACCOUNT_REPORT, accountSetting, NOT_PAUSED, pausesAll, SETTING, type PublishingSwitch } from '@autoposter/domain';
import { Database, type UnitOfWork } from '@autoposter/persistence';
import { AUTOPOSTER_ACTOR, strikesStop } from '@autoposter/workflow';
import { v7 as uuidv7 } from 'uuid';
import type { AccountFindings } from '../instagram/media-reach';
import { lockQueue, planSlots } from '../instagram-queue/plan-slots';
import { acceptBacklog } from '../instagram-queue/queue-questions';
import { SETTINGS, type GatewaySettings } from '../bootstrap/settings';
import { StoredSettings } from '../settings/stored-settings';

const TOKEN_STILL_REFUSED =
  'Instagram still refuses the access token, or the publishing worker has not asked it yet. Set a new INSTAGRAM_ACCESS_TOKEN and restart the publishing worker; publishing can be resumed once Instagram accepts the token.';

const PAUSED_AGAIN = 'Publishing was paused again for another reason meanwhile. Read why, then resume it.';
const PAUSED_FOR_ALL = 'Publishing is paused on all accounts; resume it for all of them.';

const CONNECT_AGAIN =
  'Instagram still refuses the access token of this account, or the publishing worker has not asked it yet. Connect the account again; publishing can be resumed once Instagram accepts the token.';

/** The publishing worker looks for requested checks every two seconds, and Instagram mostly answers at once: the share of a response's time. */
const CHECK_SHARE = 0.7;
const CHECK_POLL_MS = 250;

/** Pauses and resumes publishing on all accounts, or on the named one alone. The switch of the environment's account holds both. */
@Injectable()
export class PublishingService {
  constructor(
    private readonly database: Database,
    private readonly settings: StoredSettings,
    @Inject(SETTINGS) private readonly configured: Pick<GatewaySettings, 'responseTimeoutMs'>,
  ) {}

  state(): Promise<Publishing> {
    return this.settings.publishing();
  }

  /** Idempotent: keeps the first actor, time and cause. */
  async pause(actor: string, accountId?: string): Promise<Publishing> {
    const all = accountId === undefined;
    const { after } = await this.database.unitOfWork((uow) =>
      this.change(uow, { actor, accountId }, (before, since) => {
        if (before.paused) return all && !pausesAll(before) ? { ...before, all } : before;
        return { paused: true, by: actor, since, cause: 'person', ...(all || accountId === ENVIRONMENT_ACCOUNT_ID ? { all } : {}) };
      }),
    );
    return after;
  }

  /**
   * Lets the queue continue with the posts that missed their time, and on the account that is configured now. After a refused token, has the
   * account checked first and requires that to succeed; otherwise the next post would pause publishing again. A pause of all accounts ends for all of them only.
   * Resuming a pause for strikes acknowledges them; a pause for another cause is followed by the one for strikes that it hid. With `since`, only
   * the pause of that time is resumed.
   */
  async resume(actor: string, { since: seen, accountId: only }: { since?: string; accountId?: string } = {}): Promise<Publishing> {
    const accountId = only ?? ENVIRONMENT_ACCOUNT_ID;
    await this.checkRefusedToken(accountId);
    const { before: previous, after } = await this.database.unitOfWork(async (uow) => {
      if (only !== undefined && pausesAll((await uow.settings.get<PublishingSwitch>(SETTING.publishing)) ?? NOT_PAUSED))
        throw new ConflictException(PAUSED_FOR_ALL);
      const shown = (await uow.settings.get<PublishingSwitch>(accountSetting('publishing', accountId))) ?? NOT_PAUSED;
      if (!shown.paused) return { before: shown, after: shown };
      // before the lock of the switch, as planning does when it pauses
      await lockQueue(uow, accountId);
      return this.change(uow, { actor, accountId: only }, async (before, since) => {
        if (!before.paused) return before;
        if (seen !== undefined && seen !== before.since) throw new ConflictException(PAUSED_AGAIN);
        if (before.cause === 'token' && !(await this.isAccountConnectedSince(uow, before.since, accountId)))
          throw new ConflictException(accountId === ENVIRONMENT_ACCOUNT_ID ? TOKEN_STILL_REFUSED : CONNECT_AGAIN);
        if (before.cause === 'strikes') {
          await uow.notices.acknowledgeStrikes(accountId);
          await uow.audit.record({ actor, action: 'rights.strikes.acknowledge', subject: accountId });
        }
        const stop = await strikesStop(uow, accountId);
        if (stop !== null) return { paused: true, by: AUTOPOSTER_ACTOR, since, ...stop };
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
    { actor, accountId }: { actor: string; accountId: string | undefined },
    decide: (before: PublishingSwitch, now: string) => PublishingSwitch | Promise<PublishingSwitch>,
  ): Promise<{ before: PublishingSwitch; after: PublishingSwitch }> {
    const name = accountSetting('publishing', accountId ?? ENVIRONMENT_ACCOUNT_ID);
    await uow.settings.lock(name);
    const before = (await uow.settings.get<PublishingSwitch>(name)) ?? NOT_PAUSED;
    const after = await decide(before, (await uow.now()).toISOString());
    if (after === before) return { before, after };
    await uow.settings.set(name, after, actor);
    uow.history.append({ type: after.paused ? 'publishing.paused' : 'publishing.resumed', subjectId: uuidv7(), actor });
    await uow.audit.record({ actor, action: after.paused ? 'publishing.pause' : 'publishing.resume', subject: accountId });
    return { before, after };
  }

  /** Has the publishing worker check an account that is stopped for its token, unless it was accepted since, and awaits the result. */
  private async checkRefusedToken(accountId: string): Promise<void> {
    const { read } = this.database;
    const { paused, cause, since } = (await read.settings.get<PublishingSwitch>(accountSetting('publishing', accountId))) ?? NOT_PAUSED;
    if (!paused || cause !== 'token' || (await this.isAccountConnectedSince(read, since, accountId))) return;
    const askedAt = await read.now();
    await read.accounts.requestCheck(accountId);
    const until = performance.now() + this.configured.responseTimeoutMs * CHECK_SHARE;
    while (performance.now() < until && !(await this.isCheckedSince(askedAt, accountId))) await pause(CHECK_POLL_MS);
  }

  private async isCheckedSince(askedAt: Date, accountId: string): Promise<boolean> {
    const { accounts, workerReports } = this.database.read;
    if (accountId !== ENVIRONMENT_ACCOUNT_ID) return (await accounts.find(accountId))?.status !== 'unchecked';
    const found = await workerReports.find<AccountFindings>(ACCOUNT_REPORT);
    return found !== null && found.reportedAt > askedAt;
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
