import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Envelope } from '@autoposter/contracts';
import { JSON_VALUE, TEXT, TIME, TIME_OR_NULL } from '../database/columns';

/** A message that waits for the relay. */
@Entity('outbox')
export class OutboxMessage {
  @PrimaryColumn({ type: 'uuid' })
  id!: string;

  @Column(TEXT)
  topic!: string;

  @Column(TEXT)
  key!: string;

  @Column(JSON_VALUE)
  envelope!: Envelope;

  @Column(TIME)
  createdAt!: Date;

  @Column(TIME_OR_NULL)
  sentAt!: Date | null;
}
