import type { EntityManager } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { RowStore } from '../database/row-store';
import { MediaFile } from './media-file.entity';

export type MediaRole = MediaFile['role'];
export type NewMediaFile = Omit<MediaFile, 'id' | 'itemId' | 'role' | 'createdAt' | 'position'> & { position?: number };

export class MediaRepository extends RowStore<MediaFile> {
  constructor(manager: EntityManager) {
    super(manager, MediaFile);
  }

  /** The files of one role become exactly these, in this order. */
  async replace(itemId: string, role: MediaRole, files: readonly NewMediaFile[]): Promise<void> {
    await this.run('DELETE FROM media_files WHERE item_id = $1 AND role = $2', [itemId, role]);
    await this.insertMany(files.map((file, index) => ({ id: uuidv7(), itemId, role, ...file, position: file.position ?? index })));
  }

  find(id: string): Promise<MediaFile | null> {
    return this.row('SELECT * FROM media_files WHERE id = $1', [id]);
  }

  /** In order; all roles unless one is named. */
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

  /** Objects are content-addressed, so that two items can share one: only the last user may delete it. */
  async isObjectUsed(objectKey: string): Promise<boolean> {
    return (await this.run('SELECT 1 FROM media_files WHERE object_key = $1 LIMIT 1', [objectKey])).count > 0;
  }

  async deleteOfItem(itemId: string): Promise<string[]> {
    const { rows } = await this.run<{ object_key: string }>('DELETE FROM media_files WHERE item_id = $1 RETURNING object_key', [itemId]);
    return rows.map((row) => row.object_key);
  }
}

function groupByItem(files: readonly MediaFile[]): Map<string, MediaFile[]> {
  const groups = new Map<string, MediaFile[]>();
  for (const file of files) groups.set(file.itemId, [...(groups.get(file.itemId) ?? []), file]);
  return groups;
}
