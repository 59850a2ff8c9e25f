import { crc32, deflateSync } from 'node:zlib';
import { Inject, Injectable, NotFoundException } from '@nestjs/common';
import type { ObjectStore } from '@autoposter/object-store';
import { Database, type MediaRole } from '@autoposter/persistence';
import { OBJECTS } from '../bootstrap/systems';
import type { MediaKind } from './media-links';
import type { ServedObject } from './send-object';

export type ItemMediaKind = Exclude<MediaKind, 'compared'>;

/** Media roles of each URL kind, in order of preference. */
const ROLES: Record<ItemMediaKind, readonly MediaRole[]> = {
  video: ['processed', 'original'],
  cover: ['cover'],
  'uploaded-cover': ['uploaded_cover'],
};
/** The content of a URL changes once, when the processed file replaces the original. */
export const PRIVATE = 'private, max-age=60';

@Injectable()
export class MediaService {
  constructor(
    private readonly database: Database,
    @Inject(OBJECTS) private readonly objects: ObjectStore,
  ) {}

  async find(kind: ItemMediaKind, itemId: string, file: number): Promise<ServedObject> {
    const key = await this.database.read.media.findObjectKey(itemId, kind === 'video' ? file : 0, ROLES[kind]);
    if (key === null) throw new NotFoundException('There is no such file.');
    return this.served(key, PRIVATE);
  }

  /** The stored file of an item or of a claimed work, or the preview that was compared if only that remains or if browsers cannot show the file. */
  async compared(ownerId: string, file: number): Promise<ServedObject | { preview: Buffer }> {
    const [found] = await this.database.read.answers.compared([{ id: ownerId, file }]);
    if (found === undefined) throw new NotFoundException('There is no such file.');
    const { objectKey, preview } = found;
    const isShown = preview === null || objectKey?.endsWith('.heic') !== true;
    if (objectKey !== null && isShown) return this.served(objectKey, PRIVATE);
    if (preview === null) throw new NotFoundException('There is no such file.');
    return { preview: greyPng(preview.side, preview.luma) };
  }

  async served(key: string, cacheControl: string): Promise<ServedObject> {
    const object = await this.objects.stat(key);
    if (!object) throw new NotFoundException('The file is no longer in the object store.');
    return { key, total: object.bytes, contentType: object.contentType, sha256: object.sha256, cacheControl };
  }
}

const PNG_SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');

/** A square picture of luminances as PNG with 8 bits of grey. */
function greyPng(side: number, luma: Uint8Array): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(side, 0);
  header.writeUInt32BE(side, 4);
  header[8] = 8;
  // each row begins with the number of its filter, 0 for none
  const rows = Buffer.alloc(side * (side + 1));
  for (let row = 0; row < side; row += 1) rows.set(luma.subarray(row * side, (row + 1) * side), row * (side + 1) + 1);
  return Buffer.concat([PNG_SIGNATURE, pngChunk('IHDR', header), pngChunk('IDAT', deflateSync(rows)), pngChunk('IEND', Buffer.alloc(0))]);
}

function pngChunk(type: string, data: Buffer): Buffer {
  const typed = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  check.writeUInt32BE(crc32(typed));
  return Buffer.concat([length, typed, check]);
}
