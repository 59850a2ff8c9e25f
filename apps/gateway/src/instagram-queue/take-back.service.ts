import { ConflictException, Injectable, NotFoundException } from '@nestjs/common';
import { Database, type PublishAttempt, type QueueItem, type UnitOfWork } from '@autoposter/persistence';
import { transitionAttempt } from '@autoposter/workflow';
import { planSlots } from '../queue-planning/plan-slots';
import { StoredSettings } from '../stored-settings/stored-settings';

/** Takes posts out of the queue: waiting ones, and those on their way of which nothing has been sent that cannot be taken back. */
@Injectable()
export class TakeBackService {
  constructor(
    private readonly database: Database,
    private readonly stored: StoredSettings,
  ) {}

  /** The post is ready again; a container that Instagram has prepared is left to expire. */
  async remove(id: string, actor: string): Promise<void> {
    await this.database.unitOfWork(async (uow) => {
      const seen = await uow.queue.find(id);
      if (!seen) throw new NotFoundException('There is no such place in the queue.');
      const attempt = seen.status === 'posting' ? await this.recall(uow, seen) : null;
      const place = await uow.queue.findForUpdate(id);
      if (!place) throw new NotFoundException('There is no such place in the queue.');
      assertRemovable(place, attempt);
      const item = await uow.items.findForUpdate(place.itemId);
      const patch = { finishedAt: await uow.now() };
      await uow.queue.transition(id, { fromVersion: place.version, from: place.status, to: 'cancelled', patch });
      if (item?.state === 'queued' || item?.state === 'posting') {
        await uow.items.transition(item.id, { fromVersion: item.version, from: item.state, to: 'ready' });
      }
      uow.history.append({ type: 'item.unqueued', subjectId: place.itemId, itemId: place.itemId, state: 'ready', actor });
      uow.history.append({ type: 'queue.changed', subjectId: id, itemId: place.itemId, state: 'removed', actor });
      await uow.audit.record({ actor, action: 'queue.removed', subject: id, ...(attempt ? { detail: { attempt: attempt.id } } : {}) });
      await planSlots(uow, await this.stored.queue(uow));
    });
  }

  /**
   * Ends the attempt before its publish call. The run is cancelled first, in the order in which a worker locks before its call: one that
   * is at work finds its fence gone and calls nothing. Once the intent is committed, the attempt is the worker's, and this is refused.
   */
  private async recall(uow: UnitOfWork, { id, itemId }: QueueItem): Promise<PublishAttempt | null> {
    const open = await uow.attempts.findOpenOf(itemId);
    if (open?.queueItemId !== id) return null;
    await uow.jobs.cancelOpen(open.id);
    const attempt = await uow.attempts.lock(open.id);
    if (attempt.state !== 'open' && attempt.state !== 'container') throw new ConflictException(TOO_LATE);
    await transitionAttempt(uow, attempt, 'abandoned', { settledBy: 'person' });
    return attempt;
  }
}

const TOO_LATE = 'This post has been handed to Instagram and can no longer be taken back; whether it is out is being looked up.';

const WHY_NOT: Record<Exclude<QueueItem['status'], 'pending' | 'scheduled' | 'posting'>, string> = {
  posted: 'This post was published already.',
  failed: 'This post is no longer in the queue: it could not be published.',
  cancelled: 'This post was taken out of the queue already.',
};

/** Where the outcome was unknown once, the post may be out after all: only a look at the account can tell. */
function assertRemovable({ status, outcome }: QueueItem, attempt: PublishAttempt | null): void {
  if (status === 'pending' || status === 'scheduled') return;
  if (status !== 'posting') throw new ConflictException(WHY_NOT[status]);
  if (attempt === null || outcome !== null) throw new ConflictException(TOO_LATE);
}
