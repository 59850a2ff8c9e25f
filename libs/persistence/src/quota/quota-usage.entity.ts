import { Column, Entity, PrimaryColumn } from 'typeorm';
import { INTEGER } from '../database/columns';

/** Uses of something that is limited per day (UTC). */
@Entity('quota_usage')
export class QuotaUsage {
  @PrimaryColumn({ type: 'text' })
  name!: string;

  @PrimaryColumn({ type: 'date' })
  day!: string;

  @Column(INTEGER)
  used!: number;
}
