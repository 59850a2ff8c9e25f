import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { CaptionOptions, CaptionVariation, VisualDescription } from '@autoposter/domain';
import type { TextAnalysis } from './text-analysis';
import { JSON_OR_NULL, JSON_VALUE, TEXT, TEXT_OR_NULL, TIME, TIME_OR_NULL } from '../database/columns';

/** Caption, hashtags and analysis of an item; one per item, the newest run or edit. */
@Entity('captions')
export class Caption {
  @PrimaryColumn({ type: 'uuid' })
  itemId!: string;

  @Column(TEXT)
  caption!: string;

  @Column(JSON_VALUE)
  hashtags!: string[];

  @Column(JSON_VALUE)
  variations!: CaptionVariation[];

  @Column(TEXT_OR_NULL)
  analysis!: string | null;

  @Column(JSON_OR_NULL)
  visuals!: VisualDescription | null;

  @Column(JSON_OR_NULL)
  textAnalysis!: TextAnalysis | null;

  @Column(TEXT_OR_NULL)
  visionModel!: string | null;

  @Column(TEXT)
  captionModel!: string;

  @Column(JSON_VALUE)
  options!: Partial<CaptionOptions>;

  @Column(JSON_VALUE)
  violations!: string[];

  @Column(TEXT_OR_NULL)
  editedBy!: string | null;

  @Column(TIME_OR_NULL)
  editedAt!: Date | null;

  @Column(TIME)
  processedAt!: Date;
}
