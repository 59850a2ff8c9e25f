import { Column, Entity, PrimaryColumn } from 'typeorm';
import { BIGINT, TEXT, TIME } from '../database/columns';

/** Who leads; judged by the database clock. */
@Entity('leases')
export class Lease {
  @PrimaryColumn({ type: 'text' })
  name!: string;

  @Column(TEXT)
  owner!: string;

  @Column(BIGINT)
  fence!: number;

  @Column(TIME)
  until!: Date;
}
