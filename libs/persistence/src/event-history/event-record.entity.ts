import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { FactType, Stage } from '@autoposter/contracts';
import { asNumber, ID, ID_OR_NULL, TEXT, TEXT_OR_NULL, TIME } from '../database/columns';

/** Something that happened. A reader that has seen `seq` N never misses a smaller one. */
@Entity('event_history')
export class EventRecord {
  @PrimaryColumn({ type: 'bigint', transformer: asNumber })
  seq!: number;

  @Column(ID)
  id!: string;

  @Column(TEXT)
  type!: FactType;

  @Column(ID)
  subjectId!: string;

  @Column(ID_OR_NULL)
  itemId!: string | null;

  @Column(TEXT_OR_NULL)
  stage!: Stage | null;

  @Column(TEXT_OR_NULL)
  state!: string | null;

  @Column(TEXT_OR_NULL)
  reason!: string | null;

  @Column(ID)
  correlationId!: string;

  @Column(TEXT)
  actor!: string;

  @Column(TIME)
  occurredAt!: Date;
}
