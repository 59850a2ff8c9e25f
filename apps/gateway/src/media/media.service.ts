import { Inject, Injectable, NotFoundException } from '@nestjs/common';
import type { ObjectStore } from '@autoposter/object-store';
import { Database } from '@autoposter/persistence';
import { OBJECTS } from '../bootstrap/systems';
import type { MediaKind } from './media-links';
import type { ServedObject } from './send-object';

interface FileRow {
  object_key: string;
  content_type: string;
  sha256: string;
}

/** Which roles a kind of address shows, best first. */
const ROLES: Record<MediaKind, readonly string[]> = { video: ['processed', 'original'], cover: ['cover'] };
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
    const roles = ROLES[kind];
    const [row] = await this.database.sql.query<FileRow>(
      `SELECT m.object_key, m.content_type, m.sha256 FROM media_files m JOIN content_items i ON i.id = m.item_id
       WHERE m.item_id = $1 AND m.position = $2 AND m.role = ANY($3::text[]) AND i.state <> 'deleted'
       ORDER BY array_position($3::text[], m.role) LIMIT 1`,
      [itemId, kind === 'cover' ? 0 : file, roles],
    );
    if (!row) throw new NotFoundException('There is no such file.');
    return this.served(row.object_key, PRIVATE);
  }

  /** An object by its key, for addresses whose signature names the key itself. */
  async served(key: string, cacheControl: string): Promise<ServedObject> {
    const object = await this.objects.stat(key);
    if (!object) throw new NotFoundException('The file is not in the store any more.');
    return { key, total: object.bytes, contentType: object.contentType, sha256: object.sha256, cacheControl };
  }
}
