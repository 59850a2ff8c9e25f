import type { CaptionOptions, CaptionVariation, VisualDescription } from '@autoposter/domain';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import { ID, JSON_OR_NULL, JSON_VALUE, TEXT, TEXT_OR_NULL, TIME, TIME_OR_NULL } from '../database/columns';
import { SqlRepository } from '../database/sql-repository';

/** The text model's analysis of its own caption, and our counts. */
export interface TextAnalysis {
  wordCount: number;
  characterCount: number;
  sentiment: string;
  hasCallToAction: boolean;
  mainCaption: string;
  hashtagCategories: Record<string, string[]>;
}

/** Caption, hashtags and analysis of an item. One row per item: the newest job or edit. */
@Entity('captions')
export class Caption {
  @PrimaryColumn(ID) itemId!: string;
  @Column(TEXT) caption!: string;
  @Column(JSON_VALUE) hashtags!: string[];
  @Column(JSON_VALUE) variations!: CaptionVariation[];
  @Column(TEXT_OR_NULL) analysis!: string | null;
  @Column(JSON_OR_NULL) visuals!: VisualDescription | null;
  @Column(JSON_OR_NULL) textAnalysis!: TextAnalysis | null;
  @Column(TEXT_OR_NULL) visionModel!: string | null;
  @Column(TEXT) captionModel!: string;
  @Column(JSON_VALUE) options!: Partial<CaptionOptions>;
  @Column(JSON_VALUE) violations!: string[];
  @Column(TEXT_OR_NULL) editedBy!: string | null;
  @Column(TIME_OR_NULL) editedAt!: Date | null;
  @Column(TIME) processedAt!: Date;
}

type NewCaption = Pick<Caption, 'itemId' | 'caption' | 'captionModel'> & Partial<Caption>;

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
