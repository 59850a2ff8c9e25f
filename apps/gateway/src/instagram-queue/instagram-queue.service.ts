import { isDeepStrictEqual } from 'node:util';
import { ConflictException, Inject, Injectable, NotFoundException, UnprocessableEntityException } from '@nestjs/common';
import {
  ENVIRONMENT_ACCOUNT_ID,
  type EnqueueBody,
  type PreviewQuery,
  type PreviewSlot,
  type PublishOptions,
  type SetOptionsBody,
  type QueueQuery,
  type QueueStatistics,
  type QueueStatus,
} from '@autoposter/contracts';
import { type Failure, isBlocked, type QueueSettings, refuseOptions, renderReviewReason, renderReviewReasons } from '@autoposter/domain';
import { Database, type MediaFile, type QueueItem, type QueueRow, type UnitOfWork } from '@autoposter/persistence';
import { changedMeanwhile, enqueue, lockItem, postKindOf, postQueuedNow, withRequiredCollaborator } from '@autoposter/workflow';
import { MediaReach } from '../instagram/media-reach';
import { planSlots, previewSlots } from './plan-slots';
import { stopForOtherAccount } from './queue-questions';
import { type PublishingAccount, StoredSettings } from '../settings/stored-settings';
import { SETTINGS, type GatewaySettings } from '../bootstrap/settings';

/** Tolerance for clock differences, and for choosing the current time. */
const PAST_TOLERANCE_MS = 60_000;
/** A later time is a typing error, and would hold the post back unnoticed. */
const LATEST_DAYS = 366;
const CHANGED_MEANWHILE = 'These options were changed meanwhile. Check the new ones, then save again to replace them.';

export interface ShownQueueRow {
  row: QueueRow;
  hasCover: boolean;
  /** Hash of the cover that an administrator uploaded. */
  uploadedCover: string | null;
  /** Why the post will be held in its place when it is due, while it waits. */
  outOfReach: Failure | null;
}

@Injectable()
export class InstagramQueueService {
  constructor(
    private readonly database: Database,
    private readonly stored: StoredSettings,
    private readonly reach: MediaReach,
    @Inject(SETTINGS) private readonly settings: GatewaySettings,
  ) {}

  async page(query: QueueQuery): Promise<{ shown: ShownQueueRow[]; total: number }> {
    const { rows, total } = await this.database.read.queue.page(query);
    return { shown: await this.shown(rows), total };
  }

  /** Of one queue, or of all. */
  statistics(accountId?: string): Promise<QueueStatistics> {
    return this.database.read.queue.statistics(accountId ?? null);
  }

  async preview({ count, accountId }: PreviewQuery): Promise<{ settings: QueueSettings; slots: PreviewSlot[] }> {
    const settings = await this.stored.queue(this.database.read, accountId);
    return { settings, slots: await previewSlots(this.database.read, settings, count, accountId) };
  }

  /**
   * Queues a ready item or posts it immediately. Posting immediately skips interval and blocked hours, but not ledger and pause; it also
   * applies to an item that already waits in the queue.
   */
  async add(itemId: string, body: EnqueueBody, actor: string): Promise<ShownQueueRow> {
    const id = await this.database.unitOfWork(async (uow) => {
      const waiting = body.postImmediately ? await lockWaiting(uow, itemId) : null;
      const account = await this.stored.accountForQueue(uow, waiting?.accountId ?? body.accountId);
      const item = await lockItem(uow, itemId);
      if (item.state !== 'ready' && !(item.state === 'queued' && waiting)) throw new ConflictException(whyNotReady(item.state));
      const files = await uow.media.ofItem(itemId, 'processed');
      const outOfReach = await this.reach.whyNot(uow, files, account);
      if (outOfReach !== null) throw new UnprocessableEntityException(`${outOfReach.message} ${outOfReach.nextAction}`);
      if (body.options) this.assertOffered(files, body.options, account);
      const { id: queueAccountId, userId: accountId } = account;
      if (accountId !== null && queueAccountId === ENVIRONMENT_ACCOUNT_ID) await stopForOtherAccount(uow, accountId);
      if (body.postImmediately) await this.assertMayPublish(uow, itemId, files, account);
      const request = {
        caption: body.customCaption,
        options: body.options,
        immediate: body.postImmediately,
        accountId,
        queueAccountId,
        actor,
        maxHashtags: this.settings.maxHashtags,
      };
      const queued = await (waiting ? postQueuedNow(uow, item, waiting, request) : enqueue(uow, item, request));
      if (queued.outcome === 'refused') throw new UnprocessableEntityException(renderReviewReasons(queued.reasons));
      if (queued.outcome === 'lost') throw changedMeanwhile();
      await uow.audit.record({ actor, action: body.postImmediately ? 'queue.post_now' : 'queue.add', subject: itemId });
      await planSlots(uow, await this.stored.queue(uow, queueAccountId), queueAccountId);
      return queued.queueItem.id;
    });
    return this.find(id);
  }

  async setPriority(id: string, priority: number, actor: string): Promise<ShownQueueRow> {
    await this.change(id, actor, 'priority', async (uow) => void (await uow.queue.patchWaiting(id, { priority })));
    return this.find(id);
  }

  /** A time chosen by an administrator is pinned; `null` returns the item to the planner. */
  async setSchedule(id: string, scheduledFor: Date | null, actor: string): Promise<ShownQueueRow> {
    await this.change(id, actor, 'moved', async (uow, queueItem) => {
      const pinned = scheduledFor !== null;
      const now = (await uow.now()).getTime();
      if (pinned && scheduledFor.getTime() < now - PAST_TOLERANCE_MS) {
        throw new UnprocessableEntityException('This time has passed; choose a later one.');
      }
      if (pinned && scheduledFor.getTime() > now + LATEST_DAYS * 86_400_000) {
        throw new UnprocessableEntityException('This time is more than a year ahead; choose an earlier one.');
      }
      const { timeBlocking } = await this.stored.queue(uow, queueItem.accountId);
      if (pinned && isBlocked(scheduledFor, timeBlocking)) {
        const { startTime, endTime, timeZone } = timeBlocking;
        throw new UnprocessableEntityException(
          `Nothing is published between ${startTime} and ${endTime} (${timeZone}); choose a time outside of the blocked hours.`,
        );
      }
      const to = pinned ? 'scheduled' : 'pending';
      if (queueItem.status === to) await uow.queue.patchWaiting(id, { scheduledFor, pinned });
      else await uow.queue.transition(id, { fromVersion: queueItem.version, from: queueItem.status, to, patch: { scheduledFor, pinned } });
    });
    return this.find(id);
  }

  /** Replaces all options of a waiting post; those that Instagram does not offer are refused with the reason. */
  async setOptions(id: string, { replaces, ...options }: SetOptionsBody, actor: string): Promise<ShownQueueRow> {
    const work = async (uow: UnitOfWork, { itemId, accountId, options: stored }: QueueItem) => {
      if (replaces !== undefined && !isDeepStrictEqual(replaces, stored)) throw new ConflictException(CHANGED_MEANWHILE);
      const permission = await uow.permissions.stateOf(await lockItem(uow, itemId), accountId);
      const { options: permitted, unavailable } = await withRequiredCollaborator(uow, itemId, options, permission);
      if (unavailable !== null) throw new UnprocessableEntityException(renderReviewReason(unavailable));
      this.assertOffered(await uow.media.ofItem(itemId, 'processed'), permitted, await this.stored.account(uow, accountId));
      await uow.queue.setOptions(id, permitted);
    };
    await this.change(id, actor, 'options', work, BEFORE_NEXT_ATTEMPT);
    return this.find(id);
  }

  private assertOffered(files: readonly MediaFile[], options: PublishOptions, { api }: PublishingAccount): void {
    const refused = refuseOptions(options, {
      kind: postKindOf(files, options),
      access: api,
      seconds: files[0]?.durationSeconds ?? null,
      bytes: files[0]?.bytes ?? null,
      types: files.map(({ mediaType }) => mediaType),
    });
    if (refused !== null) throw new UnprocessableEntityException(`${refused.message} ${refused.nextAction}`);
  }

  /** Locks a queue item in one of these states, runs `work` on it and plans the slots again. */
  async change(
    id: string,
    actor: string,
    what: string,
    work: (uow: UnitOfWork, queueItem: QueueItem) => Promise<void>,
    changeable: readonly QueueStatus[] = ['pending', 'scheduled'],
  ): Promise<void> {
    await this.database.unitOfWork(async (uow) => {
      const queueItem = await lockChangeable(uow, id, changeable);
      await work(uow, queueItem);
      uow.history.append({ type: 'queue.changed', subjectId: id, itemId: queueItem.itemId, state: what, actor });
      await uow.audit.record({ actor, action: `queue.${what}`, subject: id });
      await planSlots(uow, await this.stored.queue(uow, queueItem.accountId), queueItem.accountId);
    });
  }

  private async assertMayPublish(
    uow: UnitOfWork,
    itemId: string,
    files: readonly MediaFile[],
    { id, userId }: PublishingAccount,
  ): Promise<void> {
    if (userId === null) {
      if (id !== ENVIRONMENT_ACCOUNT_ID) throw new ConflictException('This account is not ready; Settings says why.');
      throw new ConflictException(`Instagram API not configured: please set ${this.settings.instagramMissing.join(' and ')}.`);
    }
    const { paused, reason } = await this.stored.publishing(uow, id);
    if (paused) throw new ConflictException(`Publishing is paused; resume it first.${reason ? ` ${reason}` : ''}`);
    await assertNoOpenAttempt(uow, itemId);
    if (files.length === 0) throw new ConflictException('The post has no processed file.');
  }

  async find(id: string): Promise<ShownQueueRow> {
    const row = await this.database.read.queue.findWithSource(id);
    const [shown] = row === null ? [] : await this.shown([row]);
    if (shown === undefined) throw unknownQueueItem();
    return shown;
  }

  /** Whether Instagram can fetch pictures is asked once for each account with waiting ones. */
  private async shown(rows: readonly QueueRow[]): Promise<ShownQueueRow[]> {
    const { read } = this.database;
    const files = await read.media.ofItems(rows.map(({ queueItem }) => queueItem.itemId));
    const filesOf = ({ queueItem }: QueueRow): readonly MediaFile[] => files.get(queueItem.itemId) ?? [];
    const isWaitingPicture = (row: QueueRow): boolean =>
      ['pending', 'scheduled'].includes(row.queueItem.status) &&
      filesOf(row).some(({ role, mediaType }) => role === 'processed' && mediaType !== 'video');
    const failures = new Map<string, Failure | null>();
    for (const accountId of new Set(rows.filter(isWaitingPicture).map(({ queueItem }) => queueItem.accountId)))
      failures.set(accountId, await this.reach.whyNot(read, [{ mediaType: 'image' }], await this.stored.account(read, accountId)));
    return rows.map((row) => ({
      row,
      ...coversAmong(filesOf(row)),
      outOfReach: (isWaitingPicture(row) && failures.get(row.queueItem.accountId)) || null,
    }));
  }
}

/** States before the next attempt begins. */
export const BEFORE_NEXT_ATTEMPT: readonly QueueStatus[] = ['pending', 'scheduled', 'failed'];

/** The queue item, locked; refused in any other state. */
export async function lockChangeable(uow: UnitOfWork, id: string, changeable: readonly QueueStatus[]): Promise<QueueItem> {
  const queueItem = await uow.queue.findForUpdate(id);
  if (!queueItem) throw unknownQueueItem();
  if (!changeable.includes(queueItem.status)) throw new ConflictException(WHY_UNCHANGEABLE[queueItem.status] ?? queueItem.status);
  return queueItem;
}

const coversAmong = (files: readonly MediaFile[]): Pick<ShownQueueRow, 'hasCover' | 'uploadedCover'> => ({
  hasCover: files.some(({ role }) => role === 'cover'),
  uploadedCover: files.find(({ role }) => role === 'uploaded_cover')?.sha256 ?? null,
});

/** The waiting queue item of an item, locked. */
async function lockWaiting(uow: UnitOfWork, itemId: string): Promise<QueueItem | null> {
  const open = await uow.queue.findOpenOf(itemId);
  const locked = open && (await uow.queue.findForUpdate(open.id));
  return locked?.status === 'pending' || locked?.status === 'scheduled' ? locked : null;
}

const WHY_UNCHANGEABLE: Partial<Record<QueueStatus, string>> = {
  posting: 'This post is being published and can no longer be changed.',
  posted: 'This post was already published.',
  failed: 'This post could not be published; retry it before you change it.',
  cancelled: 'This post was removed from the queue.',
};

export const unknownQueueItem = (): Error => new NotFoundException('There is no such queue item.');

export async function assertNoOpenAttempt(uow: UnitOfWork, itemId: string): Promise<void> {
  if ((await uow.attempts.findOpenOf(itemId)) === null) return;
  throw new ConflictException('The outcome of an earlier attempt to publish this post is unknown; it is being reconciled.');
}

export function whyNotReady(state: string): string {
  if (state === 'queued') return 'This post is already in the queue.';
  if (state === 'posting') return 'This post is being published right now.';
  if (state === 'posted') return 'This post was already published.';
  return `Only a ready post can be queued; this one is ${state}.`;
}
