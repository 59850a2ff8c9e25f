import { SqlRepository } from '../database/sql-repository';
import { Caption } from './caption.entity';

export type NewCaption = Pick<Caption, 'itemId' | 'caption' | 'captionModel'> & Partial<Caption>;

export class CaptionRepository extends SqlRepository<Caption> {
  protected readonly entity = Caption;

  /** Replaces the earlier caption, edits included. */
  async save(caption: NewCaption): Promise<void> {
    await this.run('DELETE FROM captions WHERE item_id = $1', [caption.itemId]);
    await this.insert(caption);
  }

  of(itemId: string): Promise<Caption | null> {
    return this.row('SELECT * FROM captions WHERE item_id = $1', [itemId]);
  }

  async ofItems(itemIds: readonly string[]): Promise<Map<string, Caption>> {
    const rows = await this.rows('SELECT * FROM captions WHERE item_id = ANY($1::uuid[])', [itemIds]);
    return new Map(rows.map((row) => [row.itemId, row]));
  }
}
