import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { RightsMatch } from '@autoposter/domain';
import { JSON_VALUE, TEXT, TIME } from '../database/columns';

/** What rights safety decided about an item, and where the item comes from. */
@Entity('rights_verdicts')
export class RightsVerdictRow {
  @PrimaryColumn({ type: 'uuid' })
  itemId!: string;

  @Column(TEXT)
  verdict!: 'clear' | 'flagged' | 'blocked';

  @Column(JSON_VALUE)
  reasons!: string[];

  @Column(JSON_VALUE)
  matches!: RightsMatch[];

  @Column(JSON_VALUE)
  provenance!: Record<string, unknown>;

  @Column(TIME)
  decidedAt!: Date;
}
