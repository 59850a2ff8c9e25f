import { ConflictException, Inject, Injectable, NotFoundException, UnprocessableEntityException } from '@nestjs/common';
import type { EnqueueBody, PreviewSlot, QueueQuery, QueueStatistics, QueueStatus } from '@autoposter/contracts';
import { isBlocked, type QueueSettings } from '@autoposter/domain';
import { Database, type MediaFile, type QueueItem, type QueueRow, type UnitOfWork } from '@autoposter/persistence';
import { enqueue, postQueuedNow } from '@autoposter/workflow';
import { MediaReach } from '../instagram/media-reach';
import { changedMeanwhile, lockItem } from '../items/item-actions';
import { planSlots } from './plan-slots';
import { previewSlots } from './plan-slots';
import { StoredSettings } from '../settings/stored-settings';
import { SETTINGS, type GatewaySettings } from '../bootstrap/settings';

/** Clocks differ a little, and "now" is a time that people choose. */
const LATE_BY_MS = 60_000;

/** A queue item with the poster's existence, which the table shows. */
export interface ShownQueueRow {
  row: QueueRow;
  hasCover: boolean;
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
    const files = await this.database.read.media.ofItems(rows.map((row) => row.queueItem.itemId));
    const hasCover = (itemId: string) => (files.get(itemId) ?? []).some((file) => file.role === 'cover');
    return { shown: rows.map((row) => ({ row, hasCover: hasCover(row.queueItem.itemId) })), total };
  }

  statistics(): Promise<QueueStatistics> {
    return this.database.read.queue.statistics();
  }

  async preview(count: number): Promise<{ settings: QueueSettings; slots: PreviewSlot[] }> {
    const settings = await this.stored.queue();
    return { settings, slots: await previewSlots(this.database.read, settings, count) };
  }

  /**
   * Puts a finished post into the queue, or sends it at once: past interval and blocked hours, but not past ledger and pause. A post that
   * waits in the queue is sent at once from there.
   */
  async add(itemId: string, body: EnqueueBody, actor: string): Promise<ShownQueueRow> {
    const id = await this.database.unitOfWork(async (uow) => {
      const waiting = body.postImmediately ? await lockWaiting(uow, itemId) : null;
      const item = await lockItem(uow, itemId);
      if (item.state !== 'ready' && !(item.state === 'queued' && waiting)) throw new ConflictException(whyNotReady(item.state));
      const files = await uow.media.ofItem(itemId, 'processed');
      const outOfReach = await this.reach.whyNot(uow, files);
      if (outOfReach !== null) throw new UnprocessableEntityException(`${outOfReach.message} ${outOfReach.nextAction}`);
      if (body.postImmediately) await this.assertMayPublish(uow, itemId, files);
      const { instagramAccountId: accountId, maxHashtags } = this.settings;
      const ask = { caption: body.customCaption, immediate: body.postImmediately, accountId, actor, maxHashtags };
      const queued = await (waiting ? postQueuedNow(uow, item, waiting, ask) : enqueue(uow, item, ask));
      if (queued.outcome === 'refused') throw new UnprocessableEntityException(queued.reasons.join(' '));
      if (queued.outcome === 'lost') throw changedMeanwhile();
      await uow.audit.record({ actor, action: body.postImmediately ? 'queue.post_now' : 'queue.add', subject: itemId });
      await planSlots(uow, await this.stored.queue(uow));
      return queued.queueItem.id;
    });
    return this.find(id);
  }

  async setPriority(id: string, priority: number, actor: string): Promise<ShownQueueRow> {
    await this.change(id, actor, 'priority', async (uow) => void (await uow.queue.patchWaiting(id, { priority })));
    return this.find(id);
  }

  /** A time that a person chose is pinned; `null` gives the place back to the planner. */
  async setSchedule(id: string, scheduledFor: Date | null, actor: string): Promise<ShownQueueRow> {
    await this.change(id, actor, 'moved', async (uow, place) => {
      const pinned = scheduledFor !== null;
      if (pinned && scheduledFor.getTime() < (await uow.now()).getTime() - LATE_BY_MS) {
        throw new UnprocessableEntityException('This time has passed; choose a later one.');
      }
      const { timeBlocking } = await this.stored.queue(uow);
      if (pinned && isBlocked(scheduledFor, timeBlocking)) {
        const { startTime, endTime, timeZone } = timeBlocking;
        throw new UnprocessableEntityException(
          `Nothing is published between ${startTime} and ${endTime} (${timeZone}); choose a time outside of the blocked hours.`,
        );
      }
      const to = pinned ? 'scheduled' : 'pending';
      if (place.status === to) await uow.queue.patchWaiting(id, { scheduledFor, pinned });
      else await uow.queue.transition(id, { fromVersion: place.version, from: place.status, to, patch: { scheduledFor, pinned } });
    });
    return this.find(id);
  }

  private async change(id: string, actor: string, what: string, work: (uow: UnitOfWork, place: QueueItem) => Promise<void>): Promise<void> {
    await this.database.unitOfWork(async (uow) => {
      const place = await uow.queue.findForUpdate(id);
      if (!place) throw unknownQueueItem();
      if (place.status !== 'pending' && place.status !== 'scheduled') throw new ConflictException(WHY_FIXED[place.status]);
      await work(uow, place);
      uow.history.append({ type: 'queue.changed', subjectId: id, itemId: place.itemId, state: what, actor });
      await uow.audit.record({ actor, action: `queue.${what}`, subject: id });
      await planSlots(uow, await this.stored.queue(uow));
    });
  }

  private async assertMayPublish(uow: UnitOfWork, itemId: string, files: readonly MediaFile[]): Promise<void> {
    if (this.settings.instagramMissing.length > 0 || this.settings.instagramAccountId === null) {
      throw new ConflictException(`Instagram API not configured: please set ${this.settings.instagramMissing.join(' and ')}.`);
    }
    const { paused, reason } = await this.stored.publishing(uow);
    if (paused) throw new ConflictException(`Publishing is paused; resume it first.${reason ? ` ${reason}` : ''}`);
    await assertNoOpenAttempt(uow, itemId);
    if (files.length === 0) throw new ConflictException('The post has no processed file.');
  }

  async find(id: string): Promise<ShownQueueRow> {
    const row = await this.database.read.queue.findWithSource(id);
    if (!row) throw unknownQueueItem();
    const files = await this.database.read.media.ofItem(row.queueItem.itemId, 'cover');
    return { row, hasCover: files.length > 0 };
  }
}

/** The queue item in which the post waits, locked; `null` where it does not wait. */
async function lockWaiting(uow: UnitOfWork, itemId: string): Promise<QueueItem | null> {
  const open = await uow.queue.findOpenOf(itemId);
  const locked = open && (await uow.queue.findForUpdate(open.id));
  return locked?.status === 'pending' || locked?.status === 'scheduled' ? locked : null;
}

const WHY_FIXED: Record<Exclude<QueueStatus, 'pending' | 'scheduled'>, string> = {
  posting: 'This post is being published; its place in the queue can no longer be changed.',
  posted: 'This post was published already.',
  failed: 'This post could not be published; try it again before you change its place.',
  cancelled: 'This post was taken out of the queue.',
};

export const unknownQueueItem = (): Error => new NotFoundException('There is no such queue item.');

export async function assertNoOpenAttempt(uow: UnitOfWork, itemId: string): Promise<void> {
  if ((await uow.attempts.findOpenOf(itemId)) === null) return;
  throw new ConflictException('The outcome of an earlier attempt to publish this post is unknown; it is being reconciled.');
}

export function whyNotReady(state: string): string {
  if (state === 'queued') return 'This post is in the queue already.';
  if (state === 'posting') return 'This post is being published right now.';
  if (state === 'posted') return 'This post was published already.';
  return `Only a finished post can go into the queue; this one is ${state}.`;
}
