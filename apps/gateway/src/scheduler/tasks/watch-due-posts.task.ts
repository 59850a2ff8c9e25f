import { ENVIRONMENT_ACCOUNT_ID, PUBLISH_STAGE } from '@autoposter/contracts';
import { accountName, type Failure, failureOf, HELD_CODES, isBlocked, isHeld } from '@autoposter/domain';
import { Database, type OverduePost } from '@autoposter/persistence';
import { repostHold } from '@autoposter/workflow';
import { Inject, Injectable } from '@nestjs/common';
import { SETTINGS, type GatewaySettings } from '../../bootstrap/settings';
import { MediaReach } from '../../instagram/media-reach';
import { StoredSettings } from '../../settings/stored-settings';
import { isOnHold, repostFailure } from '../../instagram-queue/dispatch-due';
import { blocksQueue } from '../../instagram-queue/plan-slots';
import type { RecurringTask } from '../recurring-task';

/** A post that is due is worked on, waits for a stated reason, or is named as overdue within this time. */
const DEADLINE_SECONDS = 600;
/** The reason of a longer wait is an alert. */
const WAIT_SECONDS = 3600;
/** Workers report every few seconds. */
const SILENT_SECONDS = 60;

/** Failures of posts that are due and that are not published, or whose outcome nothing looks up; they end with the delay. */
export const OVERDUE_CODES: readonly string[] = [
  'poster_absent',
  'poster_idle',
  'post_not_started',
  'post_waiting',
  'outcome_unchecked',
  'instagram_not_configured',
  'account_not_ready',
  ...HELD_CODES,
  'videos_need_address',
];

@Injectable()
export class WatchDuePostsTask implements RecurringTask {
  readonly id = 'watch-due-posts';
  readonly description =
    'Shows the cause on due posts that have not started, and on posts whose unknown outcome nothing looks up; always on.';
  readonly everySeconds = 30;

  constructor(
    private readonly database: Database,
    private readonly stored: StoredSettings,
    private readonly reach: MediaReach,
    @Inject(SETTINGS) private readonly settings: GatewaySettings,
  ) {}

  /** Runs in the gateway, because the cause may be a missing worker. */
  async run(): Promise<void> {
    const { queue } = this.database.read;
    const overdue = await queue.listOverdue(DEADLINE_SECONDS, WAIT_SECONDS);
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

  private async causeOf(post: OverduePost, hasPoster: boolean): Promise<Failure | null> {
    const fields = { step: PUBLISH_STAGE, minutes: DEADLINE_SECONDS / 60 };
    if (post.outcome === 'unknown') return failureOf('outcome_unchecked', { fields });
    if (post.status !== 'posting') {
      const held = await this.whyHeld(post);
      if (held !== null) return held;
      const waits = await this.waitsForReason(post);
      // without a slot it is due only when nothing keeps the scheduler from starting it
      if (waits && post.status === 'pending') return null;
      const notReady = await this.whyNotReady(post.accountId);
      if (notReady !== null || waits) return notReady;
      const account = await this.stored.account(this.database.read, post.accountId);
      return (await this.reach.whyNothing(this.database.read, account)) ?? failureOf('post_not_started', { fields });
    }
    if (post.waitReason !== null) {
      if (await this.isStopped(post.accountId)) return null;
      return failureOf('post_waiting', { fields: { minutes: WAIT_SECONDS / 60, reason: post.waitReason } });
    }
    return hasPoster ? failureOf('poster_idle', { fields }) : failureOf('poster_absent', { fields });
  }

  /** Why a post that the scheduler holds in its place is still held; `null` for any other. */
  private async whyHeld({ id, accountId }: OverduePost): Promise<Failure | null> {
    const { read } = this.database;
    const queueItem = await read.queue.find(id);
    if (queueItem === null || !isHeld(queueItem)) return null;
    const account = await this.stored.account(read, accountId);
    const outOfReach = await this.reach.whyNot(read, await read.media.ofItem(queueItem.itemId, 'processed'), account);
    if (outOfReach !== null || account.userId === null) return outOfReach;
    const reason = await repostHold(read, queueItem, account.userId);
    return reason && repostFailure(reason);
  }

  private async whyNotReady(accountId: string): Promise<Failure | null> {
    if (accountId === ENVIRONMENT_ACCOUNT_ID)
      return this.settings.instagramAccountId === null ? failureOf('instagram_not_configured') : null;
    const account = await this.database.read.accounts.find(accountId);
    if (account?.status === 'ready') return null;
    return failureOf('account_not_ready', { fields: { username: account === null ? accountId : accountName(account) } });
  }

  /** What keeps a post from being started, and is shown elsewhere: a pause, a hold, the queue's settings, or the post before it. */
  private async waitsForReason({ accountId, immediate }: OverduePost): Promise<boolean> {
    const { read } = this.database;
    if (await this.isStopped(accountId)) return true;
    if ((await read.queue.listPosting(accountId)).some(blocksQueue)) return true;
    if (immediate) return false;
    const now = await read.now();
    const { running, intervalMinutes, timeBlocking } = await this.stored.queue(read, accountId);
    if (!running || isBlocked(now, timeBlocking)) return true;
    const lastPostAt = await read.queue.lastPostAt(accountId);
    return lastPostAt !== null && now.getTime() - lastPostAt.getTime() < intervalMinutes * 60_000 + DEADLINE_SECONDS * 1000;
  }

  private async isStopped(accountId: string): Promise<boolean> {
    const { read } = this.database;
    return (await this.stored.publishing(read, accountId)).paused || (await isOnHold(read, accountId));
  }

  private async hasPoster(): Promise<boolean> {
    const workers = await this.database.read.heartbeats.list();
    return workers.some(({ stages, silentSeconds }) => stages.includes(PUBLISH_STAGE) && silentSeconds < SILENT_SECONDS);
  }
}
