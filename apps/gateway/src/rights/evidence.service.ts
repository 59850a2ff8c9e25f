import { createHash } from 'node:crypto';
import type { Evidence } from '@autoposter/contracts';
import { PipelineError } from '@autoposter/domain';
import type { ObjectStore } from '@autoposter/object-store';
import { Database, type MediaFile } from '@autoposter/persistence';
import { Inject, Injectable, NotFoundException } from '@nestjs/common';
import { OBJECTS } from '../bootstrap/systems';

/** Larger covers are left out; their hash is among the files. */
const THUMBNAIL_BYTES = 2 * 1024 * 1024;

@Injectable()
export class EvidenceService {
  constructor(
    private readonly database: Database,
    @Inject(OBJECTS) private readonly objects: ObjectStore,
  ) {}

  /** The provenance of an item with its files and thumbnails, closed by a hash over all of it. */
  async ofItem(id: string): Promise<Evidence> {
    const { items, provenance, media } = this.database.read;
    const item = await items.find(id);
    if (item === null) throw new NotFoundException('There is no such post.');
    const [records, files, now] = await Promise.all([provenance.ofItem(id), media.ofItem(id), this.database.read.now()]);
    const thumbnails = await Promise.all(files.filter(isThumbnail).map((file) => this.thumbnail(file)));
    const { platform, sourceId, originalUrl, title, author, subreddit, state } = item;
    const bundle: Omit<Evidence, 'bundleHash'> = {
      format: 'autoposter-evidence-1',
      generatedAt: now.toISOString(),
      item: { id, platform, sourceId, originalUrl, title, author, subreddit, state },
      records: records.map(({ recordedAt, ...record }) => ({ ...record, recordedAt: recordedAt.toISOString() })),
      files: files.map(({ role, position, contentType, bytes, sha256 }) => ({ role, position, contentType, bytes, sha256 })),
      thumbnails: thumbnails.flatMap((thumbnail) => thumbnail ?? []),
    };
    return { ...bundle, bundleHash: createHash('sha256').update(sortedJson(bundle)).digest('hex') };
  }

  /** `null` for a file that is no longer stored: the bundle then has its hash alone. */
  private async thumbnail({ objectKey, contentType, sha256, role, position }: MediaFile): Promise<Evidence['thumbnails'][number] | null> {
    try {
      const { stream } = await this.objects.get(objectKey);
      const chunks: Uint8Array[] = [];
      for await (const chunk of stream) chunks.push(chunk);
      return { name: `${role}-${position + 1}`, contentType, sha256, base64: Buffer.concat(chunks).toString('base64') };
    } catch (error) {
      if (error instanceof PipelineError && error.failure.kind === 'not_found') return null;
      throw error;
    }
  }
}

const isThumbnail = ({ role, bytes }: MediaFile): boolean => role === 'cover' && bytes <= THUMBNAIL_BYTES;

/** JSON whose keys are in order, so that a reader in any language computes the same hash. */
function sortedJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(sortedJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([key, held]) => `${JSON.stringify(key)}:${sortedJson(held)}`).join(',')}}`;
}
