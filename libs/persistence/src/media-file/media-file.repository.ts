import { PipelineError } from '@autoposter/domain';
import { v7 as uuidv7 } from 'uuid';
import { IdRepository } from '../database/sql-repository';
import { STAGE_SQL } from '../database/stage-sql';
import { LOCKS } from '../database/transaction';
import { MediaFile } from './media-file.entity';

export type MediaRole = MediaFile['role'];
export type NewMediaFile = Omit<MediaFile, 'id' | 'itemId' | 'role' | 'createdAt' | 'position' | 'coverSeconds'> &
  Partial<Pick<MediaFile, 'position' | 'coverSeconds'>>;

/** A deletion that takes longer counts as interrupted. */
const INTERRUPTED_AFTER_SECONDS = 600;

export class MediaRepository extends IdRepository<MediaFile> {
  protected readonly entity = MediaFile;

  /** The newest file that may be posted; `null` while there is none. */
  newestProcessed(): Promise<MediaFile | null> {
    return this.row(`SELECT * FROM media_files WHERE role = 'processed' ORDER BY id DESC LIMIT 1`);
  }

  /**
   * Replaces the files of one role, in this order. Rejects as `transient` if one of them was deleted after the job that stored it was
   * requested, or after `storedAfter`; the next attempt stores it again.
   */
  async replace(itemId: string, role: MediaRole, files: readonly NewMediaFile[], storedAfter: Date | null = null): Promise<void> {
    const keys = files.map((file) => file.objectKey);
    await this.refuseDeleted(itemId, keys, storedAfter);
    await this.run('DELETE FROM media_files WHERE item_id = $1 AND role = $2', [itemId, role]);
    await this.insertMany(files.map((file, index) => ({ id: uuidv7(), itemId, role, ...file, position: file.position ?? index })));
  }

  /** The object of an item's file, in the first of these roles that the item has; `null` for a deleted item. */
  findObjectKey(itemId: string, position: number, roles: readonly MediaRole[]): Promise<string | null> {
    return this.value(
      `SELECT m.object_key FROM media_files m JOIN content_items i ON i.id = m.item_id
       WHERE m.item_id = $1 AND m.position = $2 AND m.role = ANY($3::text[]) AND i.state <> 'deleted'
       ORDER BY array_position($3::text[], m.role) LIMIT 1`,
      [itemId, position, roles],
    );
  }

  /** Ordered; of all roles if `role` is missing. */
  ofItem(itemId: string, role?: MediaRole): Promise<MediaFile[]> {
    return this.rows('SELECT * FROM media_files WHERE item_id = $1 AND ($2::text IS NULL OR role = $2) ORDER BY role, position', [
      itemId,
      role ?? null,
    ]);
  }

  async ofItems(itemIds: readonly string[]): Promise<Map<string, MediaFile[]>> {
    const files = await this.rows('SELECT * FROM media_files WHERE item_id = ANY($1::uuid[]) ORDER BY item_id, role, position', [itemIds]);
    return groupByItem(files);
  }

  /**
   * Returns the files among these that no row names and no other process deletes. Only the caller may delete them, and until
   * `confirmDeletion` no row that names one of them can be committed: object keys derive from the content, so items share files, and a file can be
   * stored again while it is deleted.
   */
  async markForDeletion(keys: readonly string[]): Promise<string[]> {
    await this.run('SELECT pg_advisory_xact_lock($1)', [LOCKS.files]);
    return this.column(
      `INSERT INTO deleted_objects (object_key)
       SELECT DISTINCT key FROM unnest($1::text[]) AS given (key) WHERE NOT EXISTS (SELECT 1 FROM media_files WHERE object_key = key)
         AND NOT EXISTS (SELECT 1 FROM rights_claims WHERE work->>'objectKey' = key
                           OR work->'more' @> jsonb_build_array(jsonb_build_object('objectKey', key)))
         AND NOT EXISTS (SELECT 1 FROM rights_permissions WHERE proof->>'objectKey' = given.key
                           OR proof->'earlier' @> jsonb_build_array(jsonb_build_object('objectKey', given.key)))
       ON CONFLICT (object_key) DO UPDATE SET condemned_at = now(), deleted_at = 'infinity' WHERE deleted_objects.deleted_at <> 'infinity'
       RETURNING object_key`,
      [keys],
    );
  }

  /** To be called after the files were deleted; from then on they can be stored again. */
  async confirmDeletion(keys: readonly string[]): Promise<void> {
    await this.run('UPDATE deleted_objects SET deleted_at = clock_timestamp() WHERE object_key = ANY($1::text[])', [keys]);
  }

  /** Files whose deletion was interrupted, for the caller to delete. Also removes the marks of files that were deleted a day ago. */
  async claimInterruptedDeletions(limit: number): Promise<string[]> {
    await this.run(`DELETE FROM deleted_objects WHERE deleted_at < now() - interval '1 day'`);
    return this.column(
      `UPDATE deleted_objects SET condemned_at = now() WHERE object_key IN (
         SELECT object_key FROM deleted_objects WHERE deleted_at = 'infinity' AND condemned_at < now() - make_interval(secs => $1)
         ORDER BY condemned_at LIMIT $2 FOR UPDATE SKIP LOCKED)
       RETURNING object_key`,
      [INTERRUPTED_AFTER_SECONDS, limit],
    );
  }

  async deleteOfItem(itemId: string): Promise<string[]> {
    return this.column('DELETE FROM media_files WHERE item_id = $1 RETURNING object_key', [itemId]);
  }

  /** For files that are named elsewhere than in an item: rejects as `transient` if one was deleted since it was stored. */
  assertKept(keys: readonly string[], storedAfter: Date): Promise<void> {
    return this.refuseDeleted(null, keys, storedAfter);
  }

  private async refuseDeleted(itemId: string | null, keys: readonly string[], storedAfter: Date | null): Promise<void> {
    await this.run('SELECT pg_advisory_xact_lock_shared($1)', [LOCKS.files]);
    const { count } = await this.run(
      `SELECT 1 FROM deleted_objects WHERE object_key = ANY($1::text[]) AND deleted_at >= coalesce($3,
         (SELECT max(requested_at) FROM stage_jobs WHERE item_id = $2 AND stage IN ${STAGE_SQL.writingMedia}), 'infinity')`,
      [keys, itemId, storedAfter],
    );
    if (count !== 0) throw PipelineError.of('stored_file_deleted');
  }
}

function groupByItem(files: readonly MediaFile[]): Map<string, MediaFile[]> {
  const groups = new Map<string, MediaFile[]>();
  for (const file of files) groups.set(file.itemId, [...(groups.get(file.itemId) ?? []), file]);
  return groups;
}
