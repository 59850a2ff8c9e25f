import { Column, Entity, PrimaryColumn } from 'typeorm';
import { JSON_OR_NULL, TEXT, TIME } from '../database/columns';

/** A call that its caller named, so that repeating it does nothing twice. */
@Entity('idempotent_calls')
export class IdempotentCall {
  @PrimaryColumn({ type: 'text' })
  actor!: string;

  @PrimaryColumn({ type: 'text' })
  key!: string;

  /** Hash of what was asked for. */
  @Column(TEXT)
  fingerprint!: string;

  @Column(TEXT)
  state!: 'running' | 'done';

  @Column(JSON_OR_NULL)
  answer!: unknown;

  @Column(TIME)
  createdAt!: Date;
}
