import { Inject, Injectable, NotFoundException } from '@nestjs/common';
import type { ObjectStore } from '@autoposter/object-store';
import { Database, type MediaRole } from '@autoposter/persistence';
import { OBJECTS } from '../bootstrap/systems';
import type { MediaKind } from './media-links';
import type { ServedObject } from './send-object';

/** Which roles a kind of address shows, best first. */
const ROLES: Record<MediaKind, readonly MediaRole[]> = { video: ['processed', 'original'], cover: ['cover'] };
/** An address changes its content once, when the processed file takes the place of the original. */
const PRIVATE = 'private, max-age=60';

@Injectable()
export class MediaService {
  constructor(
    private readonly database: Database,
    @Inject(OBJECTS) private readonly objects: ObjectStore,
  ) {}

  /** The file that stands behind an address; `NotFoundException` when there is none (yet). */
  async find(kind: MediaKind, itemId: string, file: number): Promise<ServedObject> {
    const key = await this.database.read.media.findObjectKey(itemId, kind === 'cover' ? 0 : file, ROLES[kind]);
    if (key === null) throw new NotFoundException('There is no such file.');
    return this.served(key, PRIVATE);
  }

  /** An object by its key, for addresses whose signature names the key itself. */
  async served(key: string, cacheControl: string): Promise<ServedObject> {
    const object = await this.objects.stat(key);
    if (!object) throw new NotFoundException('The file is not in the store any more.');
    return { key, total: object.bytes, contentType: object.contentType, sha256: object.sha256, cacheControl };
  }
}
