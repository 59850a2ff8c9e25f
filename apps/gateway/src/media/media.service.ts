import { Inject, Injectable, NotFoundException } from '@nestjs/common';
import type { ObjectStore } from '@autoposter/object-store';
import { Database, type MediaRole } from '@autoposter/persistence';
import { OBJECTS } from '../bootstrap/systems';
import type { MediaKind } from './media-links';
import type { ServedObject } from './send-object';

/** Media roles of each URL kind, in order of preference. */
const ROLES: Record<MediaKind, readonly MediaRole[]> = { video: ['processed', 'original'], cover: ['cover'] };
/** The content of a URL changes once, when the processed file replaces the original. */
const PRIVATE = 'private, max-age=60';

@Injectable()
export class MediaService {
  constructor(
    private readonly database: Database,
    @Inject(OBJECTS) private readonly objects: ObjectStore,
  ) {}

  async find(kind: MediaKind, itemId: string, file: number): Promise<ServedObject> {
    const key = await this.database.read.media.findObjectKey(itemId, kind === 'cover' ? 0 : file, ROLES[kind]);
    if (key === null) throw new NotFoundException('There is no such file.');
    return this.served(key, PRIVATE);
  }

  async served(key: string, cacheControl: string): Promise<ServedObject> {
    const object = await this.objects.stat(key);
    if (!object) throw new NotFoundException('The file is no longer in the object store.');
    return { key, total: object.bytes, contentType: object.contentType, sha256: object.sha256, cacheControl };
  }
}
