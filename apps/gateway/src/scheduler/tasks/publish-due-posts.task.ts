import { Injectable } from '@nestjs/common';
import { ENVIRONMENT_ACCOUNT_ID } from '@autoposter/contracts';
import { accountSetting, SETTING } from '@autoposter/domain';
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
    // the account of the environment may be another one since
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

  /** Plans the queue unless neither it, nor its settings, nor the time that has passed can have changed the plan. Returns whether it did. */
  private async plan(waiting: WaitingQueue, configured: string): Promise<boolean> {
    const { accountId: queueAccountId, changes } = waiting;
    const state = stateOf(waiting, configured);
    const nowMs = waiting.now.getTime();
    const before = this.planned.get(queueAccountId);
    if (before?.state === state && before.fromMs <= nowMs && nowMs < before.untilMs) return false;
    this.planned.delete(queueAccountId);
    const settings = await this.stored.queue(this.database.read, queueAccountId);
    const { paused } = await this.stored.publishing(this.database.read, queueAccountId);
    if (await needsPlanning(this.database.read, settings, paused, queueAccountId)) {
      const { isComplete } = await this.database.unitOfWork((uow) => planSlots(uow, settings, queueAccountId));
      // the slots that it stored are no change that has to be planned
      const waitingNow = isComplete ? await this.database.read.queue.withWaiting() : [];
      const planned = waitingNow.find(({ accountId }) => accountId === queueAccountId);
      if (planned?.changes === changes) this.remember(planned, configured);
      return true;
    }
    this.remember(waiting, configured);
    return false;
  }

  private remember(waiting: WaitingQueue, configured: string): void {
    const { accountId, nextAt } = waiting;
    const nowMs = waiting.now.getTime();
    const lateAtMs = (nextAt?.getTime() ?? Infinity) + LATE_MS;
    const changesAtMs = nowMs < lateAtMs ? lateAtMs : Math.ceil((nowMs + 1) / LATE_MS) * LATE_MS;
    const untilMs = Math.min(changesAtMs, nowMs + PLANNED_FOR_MS);
    this.planned.set(accountId, { state: stateOf(waiting, configured), fromMs: nowMs, untilMs });
  }
}

const stateOf = ({ changes, nextAt }: WaitingQueue, configured: string): string =>
  [changes, nextAt?.toISOString() ?? '', configured].join(' ');
