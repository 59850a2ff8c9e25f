import { ConflictException, Inject, Injectable, NotFoundException } from '@nestjs/common';
import {
  FETCH_STAGE,
  RIGHTS_STAGE,
  type AcceptedItem,
  type DownloadsQuery,
  type DownloadStatus,
  type Platform,
} from '@autoposter/contracts';
import { DOWNLOAD_STATUS_OF, resumeStage, type ItemState } from '@autoposter/domain';
import { Database, type ItemRowPage } from '@autoposter/persistence';
import type { ObjectStore } from '@autoposter/object-store';
import type { Logger } from '@autoposter/observability';
import { deleteUnreferencedObjects, lockItem, moveItem, removeFromQueue, requestItemStage } from '@autoposter/workflow';
import { LOGGER, OBJECTS } from '../bootstrap/systems';

const statesOfStatus = (status: DownloadStatus | undefined): ItemState[] =>
  (Object.keys(DOWNLOAD_STATUS_OF) as (keyof typeof DOWNLOAD_STATUS_OF)[]).filter(
    (state) => status === undefined || DOWNLOAD_STATUS_OF[state] === status,
  );

@Injectable()
export class DownloadsService {
  constructor(
    private readonly database: Database,
    @Inject(OBJECTS) private readonly objects: ObjectStore,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  list(query: DownloadsQuery): Promise<ItemRowPage> {
    return this.database.read.itemLists.page(statesOfStatus(query.status), query.limit, query.cursor);
  }

  /** Keeps a tombstone, so that the post is not collected again automatically. Files are deleted after the commit. */
  async remove(id: string, actor: string): Promise<void> {
    const keys = await this.database.unitOfWork(async (uow) => {
      const item = await lockItem(uow, id);
      if (item.state === 'posting') throw new ConflictException('This post is being published right now and cannot be deleted.');
      await removeFromQueue(uow, id);
      await uow.jobs.cancelOpen(id);
      await moveItem(uow, item, 'deleted');
      uow.history.append({ type: 'item.deleted', subjectId: id, itemId: id, state: 'deleted', actor });
      await uow.audit.record({ actor, action: 'item.delete', subject: id });
      return uow.media.deleteOfItem(id);
    });
    await deleteUnreferencedObjects(this.database, this.objects, keys, this.logger);
  }

  /** Requests the failed stage again, or the stage that made its damaged input. */
  async retry(id: string, platform: Platform, actor: string): Promise<AcceptedItem> {
    return this.database.unitOfWork(async (uow) => {
      const item = await lockItem(uow, id);
      if (item.platform !== platform) throw new NotFoundException('There is no such post.');
      if (item.state !== 'failed' && item.state !== 'blocked')
        throw new ConflictException(`Only a failed post can be retried; this one is ${item.state}.`);
      if (item.retryCount >= item.maxRetries) {
        throw new ConflictException(`This post was already retried ${item.retryCount} times; that is the limit.`);
      }
      await uow.items.patch(id, { retryCount: item.retryCount + 1, failureSeenAt: await uow.now() });
      const wants = item.state === 'blocked' ? RIGHTS_STAGE : (resumeStage(item) ?? FETCH_STAGE);
      return requestItemStage(uow, item, wants, { actor });
    });
  }
}
