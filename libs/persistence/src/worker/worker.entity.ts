import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Stage } from '@autoposter/contracts';
import { TEXT, TIME } from '../database/columns';

/** A worker process that said it is there; judged by the database clock. Its id is the holder's name on its leases. */
@Entity('workers')
export class Worker {
  @PrimaryColumn({ type: 'text' })
  id!: string;

  @Column({ ...TEXT, array: true })
  stages!: Stage[];

  @Column(TIME)
  since!: Date;

  @Column(TIME)
  seenAt!: Date;
}
