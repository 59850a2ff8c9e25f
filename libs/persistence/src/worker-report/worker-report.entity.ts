import { Column, Entity, PrimaryColumn } from 'typeorm';
import { JSON_VALUE, TEXT, TIME } from '../database/columns';

/** What a worker found out about its tools and accounts. */
@Entity('worker_reports')
export class WorkerReport {
  @PrimaryColumn({ type: 'text' })
  name!: string;

  @Column(JSON_VALUE)
  report!: unknown;

  @Column(TEXT)
  reportedBy!: string;

  @Column(TIME)
  reportedAt!: Date;
}
