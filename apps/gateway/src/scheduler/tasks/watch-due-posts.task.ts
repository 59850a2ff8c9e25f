import { ENVIRONMENT_ACCOUNT_ID, PUBLISH_STAGE } from '@autoposter/contracts';
import { type Failure, failureOf } from '@autoposter/domain';
import { Database, type OverduePost } from '@autoposter/persistence';
import { Inject, Injectable } from '@nestjs/common';
import { SETTINGS, type GatewaySettings } from '../../bootstrap/settings';
import type { RecurringTask } from '../recurring-task';

/** A post that is due is worked on, waits for a stated reason, or is named as overdue within this time. */
const DEADLINE_SECONDS = 600;
/** Workers report every few seconds. */
const SILENT_SECONDS = 60;

/** Failures of posts that are due while no worker publishes them; they end with the delay. */
export const OVERDUE_CODES: readonly string[] = ['poster_absent', 'poster_idle', 'instagram_not_configured', 'account_not_ready'];

@Injectable()
export class WatchDuePostsTask implements RecurringTask {
  readonly id = 'watch-due-posts';
  readonly description = 'Names the cause at posts that are due and that no worker has started; always on.';
  readonly everySeconds = 30;

  constructor(
    private readonly database: Database,
    @Inject(SETTINGS) private readonly settings: GatewaySettings,
  ) {}

  /** No worker is needed: what is missing may be the worker. */
  async run(): Promise<void> {
    const { queue } = this.database.read;
    const overdue = await queue.listOverdue(DEADLINE_SECONDS);
    const hasPoster = overdue.length > 0 && (await this.hasPoster());
    const named: { id: string; failure: Failure }[] = [];
    for (const post of overdue) {
      const failure = await this.causeOf(post, hasPoster);
      if (failure !== null) named.push({ id: post.id, failure });
    }
    if (named.length === 0 && !(await queue.anyDelayed(OVERDUE_CODES))) return;
    await this.database.unitOfWork(async (uow) => {
      for (const { id, failure } of named) {
        if (await uow.queue.markDelayed(id, failure))
          uow.history.append({ type: 'queue.changed', subjectId: id, state: 'overdue', reason: failure.message });
      }
      await uow.queue.clearDelayed(
        OVERDUE_CODES,
        named.map(({ id }) => id),
      );
    });
  }

  private async causeOf({ status, accountId }: OverduePost, hasPoster: boolean): Promise<Failure | null> {
    if (status !== 'posting') return this.whyNotReady(accountId);
    const fields = { step: PUBLISH_STAGE, minutes: DEADLINE_SECONDS / 60 };
    return hasPoster ? failureOf('poster_idle', { fields }) : failureOf('poster_absent', { fields });
  }

  private async whyNotReady(accountId: string): Promise<Failure | null> {
    if (accountId === ENVIRONMENT_ACCOUNT_ID)
      return this.settings.instagramAccountId === null ? failureOf('instagram_not_configured') : null;
    const account = await this.database.read.accounts.find(accountId);
    if (account?.status === 'ready') return null;
    return failureOf('account_not_ready', { fields: { username: account?.username ?? accountId } });
  }

  private async hasPoster(): Promise<boolean> {
    const workers = await this.database.read.heartbeats.list();
    return workers.some(({ stages, silentSeconds }) => stages.includes(PUBLISH_STAGE) && silentSeconds < SILENT_SECONDS);
  }
}
