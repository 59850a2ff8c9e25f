import { Column, Entity, PrimaryColumn } from 'typeorm';
import { ID, INTEGER_OR_NULL, REAL_OR_NULL, TEXT, TEXT_OR_NULL, TIME } from '../database/columns';

/** A file hash or a picture hash (PDQ, 64 hex digits) of a claim or an item. */
@Entity('fingerprints')
export class FingerprintRow {
  @PrimaryColumn({ type: 'uuid' })
  id!: string;

  @Column(TEXT)
  ownerKind!: 'claim' | 'item';

  @Column(ID)
  ownerId!: string;

  @Column(TEXT_OR_NULL)
  sha256!: string | null;

  @Column(TEXT_OR_NULL)
  pdqHash!: string | null;

  @Column(INTEGER_OR_NULL)
  pdqQuality!: number | null;

  @Column(REAL_OR_NULL)
  atSeconds!: number | null;

  @Column(TIME)
  createdAt!: Date;
}
