import { ConflictException, Injectable } from '@nestjs/common';
import { PUBLISH_STAGE, type Publishing } from '@autoposter/contracts';
import { NOT_PAUSED, SETTING, type PublishingSwitch } from '@autoposter/domain';
import { Database, type UnitOfWork } from '@autoposter/persistence';
import { v7 as uuidv7 } from 'uuid';
import { ACCOUNT_REPORT, type AccountFindings } from '../instagram/media-reach';
import { planSlots } from '../instagram-queue/plan-slots';
import { acceptBacklog } from '../instagram-queue/queue-questions';
import { StoredSettings } from '../settings/stored-settings';

const TOKEN_STILL_REFUSED =
  'Instagram has not accepted the access token since it refused it. Set a new INSTAGRAM_ACCESS_TOKEN and restart the publishing worker. It checks the account when it starts and every ten minutes; publishing can be resumed once the account is connected again.';

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
  async pause(actor: string): Promise<Publishing> {
    const { after } = await this.change(actor, (before, since) =>
      before.paused ? before : { paused: true, by: actor, since, cause: 'person' },
    );
    return after;
  }

  /**
   * Lets the queue continue with the posts that missed their time, and on the account that is configured now. After a refused token, requires a
   * successful account check first; otherwise the next post would pause publishing again.
   */
  async resume(actor: string): Promise<Publishing> {
    const { before: previous, after } = await this.change(actor, async (before, since, uow) => {
      if (!before.paused) return before;
      if (before.cause === 'token' && !(await this.isAccountConnectedSince(uow, before.since)))
        throw new ConflictException(TOKEN_STILL_REFUSED);
      await acceptBacklog(uow, actor);
      await planSlots(uow, await this.settings.queue(uow), true);
      if (before.cause === 'account_changed') await this.settings.bindQueueToAccount(uow, actor);
      return { ...NOT_PAUSED, by: actor, since };
    });
    // Jobs that waited for the end of the pause check again now; the others check once more than needed.
    if (previous.paused) await this.database.read.jobs.makeWaitingDue(PUBLISH_STAGE);
    return after;
  }

  private async change(
    actor: string,
    decide: (before: PublishingSwitch, now: string, uow: UnitOfWork) => PublishingSwitch | Promise<PublishingSwitch>,
  ): Promise<{ before: PublishingSwitch; after: PublishingSwitch }> {
    return this.database.unitOfWork(async (uow) => {
      const before = await this.settings.publishing(uow);
      const after = await decide(before, (await uow.now()).toISOString(), uow);
      if (after === before) return { before, after };
      await uow.settings.set(SETTING.publishing, after, actor);
      uow.history.append({ type: after.paused ? 'publishing.paused' : 'publishing.resumed', subjectId: uuidv7(), actor });
      await uow.audit.record({ actor, action: after.paused ? 'publishing.pause' : 'publishing.resume' });
      return { before, after };
    });
  }

  private async isAccountConnectedSince(uow: UnitOfWork, since: string | null): Promise<boolean> {
    const found = await uow.workerReports.find<AccountFindings>(ACCOUNT_REPORT);
    return found?.report.ok === true && (since === null || found.reportedAt.getTime() > Date.parse(since));
  }
}
