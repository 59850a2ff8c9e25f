import { Column, Entity, PrimaryColumn } from 'typeorm';
import { TEXT, TEXT_OR_NULL, TIME } from '../database/columns';

/** A work that somebody claimed. */
@Entity('rights_claims')
export class RightsClaim {
  @PrimaryColumn({ type: 'uuid' })
  id!: string;

  @Column(TEXT)
  title!: string;

  @Column(TEXT)
  claimant!: string;

  @Column(TEXT_OR_NULL)
  contact!: string | null;

  @Column(TEXT_OR_NULL)
  sourceUrl!: string | null;

  @Column(TEXT_OR_NULL)
  note!: string | null;

  @Column(TEXT)
  status!: 'active' | 'withdrawn';

  @Column(TEXT)
  createdBy!: string;

  @Column(TIME)
  createdAt!: Date;
}
