import { ConflictException, Inject, Injectable, NotFoundException, UnprocessableEntityException } from '@nestjs/common';
import { composeCaption, creditLine } from '@autoposter/domain';
import { Database, type ContentItem, type QueueItem, type UnitOfWork } from '@autoposter/persistence';
import { lockItem } from '../items/item-actions';
import { planSlots } from '../queue-planning/plan-slots';
import { StoredSettings } from '../stored-settings/stored-settings';
import { SETTINGS, type GatewaySettings } from '../wiring/settings';
import { whyNotReady } from './instagram-queue.service';

/** Puts a failed post back into its place: with the text that it had there, or with the one that was written since. */
@Injectable()
export class RetryPostService {
  constructor(
    private readonly database: Database,
    private readonly stored: StoredSettings,
    @Inject(SETTINGS) private readonly settings: GatewaySettings,
  ) {}

  async retry(id: string, actor: string): Promise<void> {
    await this.database.unitOfWork(async (uow) => {
      const place = await uow.queue.findForUpdate(id);
      if (!place) throw new NotFoundException('There is no such place in the queue.');
      if (place.status !== 'failed') throw new ConflictException(`Only a failed post can be tried again; this one is ${place.status}.`);
      const item = await lockItem(uow, place.itemId);
      if (item.state !== 'ready') throw new ConflictException(whyNotReady(item.state));
      await assertNotOut(uow, item);
      const patch = {
        caption: await captionOf(uow, item, place, this.settings.maxHashtags),
        queuedAt: await uow.now(),
        scheduledFor: null,
        finishedAt: null,
        failure: null,
        outcome: null,
        pinned: false,
        immediate: false,
      };
      await uow.queue.transition(id, { fromVersion: place.version, from: 'failed', to: 'pending', patch });
      await uow.items.transition(item.id, { fromVersion: item.version, from: 'ready', to: 'queued' });
      uow.history.append({ type: 'item.queued', subjectId: item.id, itemId: item.id, state: 'queued', actor });
      await uow.audit.record({ actor, action: 'queue.retried', subject: id });
      await planSlots(uow, await this.stored.queue(uow));
    });
  }
}

async function assertNotOut(uow: UnitOfWork, item: ContentItem): Promise<void> {
  const known = (await uow.attempts.ofItems([item.id])).get(item.id);
  if (known?.state === 'published') throw new ConflictException('This post was published already.');
  if ((await uow.attempts.findOpenOf(item.id)) !== null) {
    throw new ConflictException('Nobody knows yet whether an earlier attempt to publish this post succeeded; it is being looked up.');
  }
}

async function captionOf(uow: UnitOfWork, item: ContentItem, place: QueueItem, maxHashtags: number): Promise<string> {
  const stored = await uow.captions.of(item.id);
  const written = stored && (stored.editedAt ?? stored.processedAt);
  if (!stored || !written || place.finishedAt === null || written <= place.finishedAt) return place.caption;
  const { caption, hashtags } = stored;
  const { text, violations } = composeCaption({ caption, hashtags, credit: creditLine(item), maxHashtags });
  const problems = violations.filter(({ severity }) => severity === 'limit');
  if (problems.length > 0) throw new UnprocessableEntityException(problems.map(({ message }) => message).join(' '));
  return text;
}
