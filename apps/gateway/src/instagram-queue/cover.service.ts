import { Readable } from 'node:stream';
import { LIMITS } from '@autoposter/contracts';
import { readCover, refuseCover } from '@autoposter/domain';
import type { ObjectStore } from '@autoposter/object-store';
import { Database, type NewMediaFile, type QueueItem, type UnitOfWork } from '@autoposter/persistence';
import { postKindOf } from '@autoposter/workflow';
import { Inject, Injectable, UnprocessableEntityException } from '@nestjs/common';
import { SETTINGS, type GatewaySettings } from '../bootstrap/settings';
import { OBJECTS } from '../bootstrap/systems';
import { readBytes } from '../http/body.guard';
import { MediaReach } from '../instagram/media-reach';
import { StoredSettings } from '../settings/stored-settings';
import { BEFORE_NEXT_ATTEMPT, InstagramQueueService, lockChangeable, type ShownQueueRow } from './instagram-queue.service';

const ROLE = 'uploaded_cover';
const { coverBytes } = LIMITS.publishOptions;
const TOO_LARGE = `The picture must have at most ${coverBytes / 1024 / 1024} MB.`;

/** Covers that administrators upload for reels. They belong to the item, and are deleted with it. */
@Injectable()
export class CoverService {
  constructor(
    private readonly database: Database,
    private readonly queue: InstagramQueueService,
    private readonly stored: StoredSettings,
    private readonly reach: MediaReach,
    @Inject(OBJECTS) private readonly objects: ObjectStore,
    @Inject(SETTINGS) private readonly settings: GatewaySettings,
  ) {}

  /** Stores a JPEG picture without its metadata, in place of the one before. */
  async set(id: string, body: AsyncIterable<Uint8Array>, actor: string): Promise<ShownQueueRow> {
    await this.database.unitOfWork(async (uow) => this.assertFits(uow, await lockChangeable(uow, id, BEFORE_NEXT_ATTEMPT)));
    const read = readCover(await readBytes(body, coverBytes, TOO_LARGE));
    if ('refused' in read) throw new UnprocessableEntityException(`${read.refused.message} ${read.refused.nextAction}`);
    const storedAfter = await this.database.read.now();
    const { jpeg, width, height } = read.cover;
    const { key, bytes, sha256, contentType } = await this.objects.put('covers', Readable.from([jpeg]), 'image/jpeg', 'jpg');
    const file: NewMediaFile = {
      mediaType: 'image',
      objectKey: key,
      fileName: 'cover.jpg',
      contentType,
      bytes,
      sha256,
      width,
      height,
      durationSeconds: null,
      hasAudio: false,
      storageType: this.settings.storageType,
    };
    const work = async (uow: UnitOfWork, queueItem: QueueItem) => {
      await this.assertFits(uow, queueItem);
      await uow.media.replace(queueItem.itemId, ROLE, [file], storedAfter);
      await uow.items.lock(queueItem.itemId);
      await uow.provenance.append(queueItem.itemId, 'cover', { sha256, actor });
    };
    await this.queue.change(id, actor, 'cover', work, BEFORE_NEXT_ATTEMPT);
    return this.queue.find(id);
  }

  async remove(id: string, actor: string): Promise<ShownQueueRow> {
    await this.queue.change(id, actor, 'cover', (uow, { itemId }) => uow.media.replace(itemId, ROLE, []), BEFORE_NEXT_ATTEMPT);
    return this.queue.find(id);
  }

  private async assertFits(uow: UnitOfWork, { itemId, options, accountId }: QueueItem): Promise<void> {
    const files = await uow.media.ofItem(itemId, 'processed');
    const outOfReach = await this.reach.whyNot(uow, [{ mediaType: 'image' }], await this.stored.account(uow, accountId));
    const refused = refuseCover({ kind: postKindOf(files, options), hasPublicAddress: outOfReach === null });
    if (refused !== null) throw new UnprocessableEntityException(`${refused.message} ${refused.nextAction}`);
  }
}
