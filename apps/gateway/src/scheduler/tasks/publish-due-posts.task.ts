import { Injectable } from '@nestjs/common';
import { ENVIRONMENT_ACCOUNT_ID } from '@autoposter/contracts';
import { accountSetting, type QueueSettings, SETTING } from '@autoposter/domain';
import { Database, type UnitOfWork, type WaitingQueue } from '@autoposter/persistence';
import { faultPoint } from '@autoposter/job-engine';
import { MediaReach } from '../../instagram/media-reach';
import { dispatchDue } from '../../instagram-queue/dispatch-due';
import { needsPlanning, planSlots } from '../../instagram-queue/plan-slots';
import { StoredSettings } from '../../settings/stored-settings';
import { forEachSubject, type RecurringTask } from '../recurring-task';
import { SchedulerFence } from '../scheduler';

/** A post that is late by this much takes its next time from the clock: the plan changes although nothing else does. */
const LATE_MS = 60_000;
/** Some changes of a queue are not counted; they are planned where they are made, and here at the latest after this time. */
const PLANNED_FOR_MS = 60_000;

/** A queue in which nothing had to be planned. */
interface Planned {
  state: string;
  /** By the clock of the database, which may be set back. */
  fromMs: number;
  untilMs: number;
}

@Injectable()
export class PublishDuePostsTask implements RecurringTask {
  readonly id = 'publish-due-posts';
  readonly description = 'Assigns slots to queued posts and posts the one that is due.';
  readonly everySeconds = 2;
  private readonly planned = new Map<string, Planned>();

  constructor(
    private readonly database: Database,
    private readonly stored: StoredSettings,
    private readonly reach: MediaReach,
    private readonly fence: SchedulerFence,
  ) {}

  async run(): Promise<void> {
    const holdsLease = this.fence.forThisRun();
    const { queue, settings } = this.database.read;
    const waiting = await queue.withWaiting();
    const ofQueue = (['queue', 'publishing'] as const).flatMap((name) => waiting.map(({ accountId }) => accountSetting(name, accountId)));
    const configured = await settings.digest([...ofQueue, SETTING.publishing]);
    for (const id of this.planned.keys()) if (!waiting.some(({ accountId }) => accountId === id)) this.planned.delete(id);
    await forEachSubject(waiting, (one) => this.publishFor(one, configured, holdsLease));
  }

  private async publishFor(waiting: WaitingQueue, configured: string, holdsLease: (uow: UnitOfWork) => Promise<boolean>): Promise<void> {
    const { accountId: queueAccountId, nextAt, now } = waiting;
    const changed = await this.plan(waiting, configured);
    const isDue = changed || (nextAt !== null && nextAt <= now);
    // meanwhile another account may be configured in the environment
    if (!isDue && queueAccountId !== ENVIRONMENT_ACCOUNT_ID) return;
    const account = await this.stored.account(this.database.read, queueAccountId);
    const sent = await this.database.unitOfWork(async (uow) => {
      // a change of the queue's settings waits for this transaction: once stopping the queue is confirmed, nothing is dispatched
      await uow.settings.keep(accountSetting('queue', queueAccountId));
      const started = await dispatchDue(uow, {
        settings: await this.stored.queue(uow, queueAccountId),
        paused: (await this.stored.publishing(uow, queueAccountId)).paused,
        queueAccountId,
        accountId: account.userId,
        holdsLease,
        whyNoPost: () => this.reach.whyNothing(uow, account),
        whyNotPublishable: (files) => this.reach.whyNot(uow, files, account),
      });
      if (started !== null) faultPoint('commit:before');
      return started;
    });
    if (sent !== null) faultPoint('commit:after');
  }

  /** Plans the queue if a change of it, of its settings or of the time can have changed the plan. Returns whether it had to be planned. */
  private async plan(waiting: WaitingQueue, configured: string): Promise<boolean> {
    const { accountId: queueAccountId, changes, now } = waiting;
    const { read } = this.database;
    const before = this.planned.get(queueAccountId);
    const isSame = before?.state === stateOf(waiting, configured);
    if (isSame && before.fromMs <= now.getTime() && now.getTime() < before.untilMs) return false;
    this.planned.delete(queueAccountId);
    const settings = await this.stored.queue(read, queueAccountId);
    const { paused } = await this.stored.publishing(read, queueAccountId);
    const isNeeded = await needsPlanning(read, settings, paused, queueAccountId);
    const planned = isNeeded ? await this.assignSlots(settings, queueAccountId) : waiting;
    // a queue that was changed meanwhile has to be planned again
    if (planned?.changes === changes)
      this.planned.set(queueAccountId, {
        state: stateOf(planned, configured),
        fromMs: planned.now.getTime(),
        untilMs: plannedUntilMs(planned),
      });
    return isNeeded;
  }

  /** Returns the queue as it is afterwards; `undefined` if posts are still without a slot. */
  private async assignSlots(settings: QueueSettings, queueAccountId: string): Promise<WaitingQueue | undefined> {
    const { isComplete } = await this.database.unitOfWork((uow) => planSlots(uow, settings, queueAccountId));
    const queues = isComplete ? await this.database.read.queue.withWaiting() : [];
    return queues.find(({ accountId }) => accountId === queueAccountId);
  }
}

/** A late post gets its next time from the clock, so the plan changes once a minute. */
function plannedUntilMs({ nextAt, now }: WaitingQueue): number {
  const nowMs = now.getTime();
  const lateAtMs = (nextAt?.getTime() ?? Infinity) + LATE_MS;
  const changesAtMs = nowMs < lateAtMs ? lateAtMs : Math.ceil((nowMs + 1) / LATE_MS) * LATE_MS;
  return Math.min(changesAtMs, nowMs + PLANNED_FOR_MS);
}

const stateOf = ({ changes, nextAt }: WaitingQueue, configured: string): string =>
  [changes, nextAt?.toISOString() ?? '', configured].join(' ');
