import { Column, Entity, PrimaryColumn } from 'typeorm';
import { asNumber, TEXT, TEXT_OR_NULL, TIME } from '../database/columns';

/** A line of a browser console. */
@Entity('browser_logs')
export class BrowserLog {
  @PrimaryColumn({ type: 'bigint', transformer: asNumber })
  id!: number;

  @Column(TEXT)
  level!: string;

  @Column(TEXT)
  message!: string;

  @Column(TEXT_OR_NULL)
  source!: string | null;

  @Column(TIME)
  loggedAt!: Date;
}
