import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Envelope } from '@autoposter/contracts';
import { INTEGER, JSON_VALUE, TEXT, TEXT_OR_NULL, TIME, TIME_OR_NULL } from '../database/columns';

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

  /** Refused messages are due later. */
  @Column(TIME)
  dueAt!: Date;

  /** How often the bus refused it. */
  @Column(INTEGER)
  attempts!: number;

  /** When the bus refused it first. */
  @Column(TIME_OR_NULL)
  refusedAt!: Date | null;

  /** Kind of the last refusal. */
  @Column(TEXT_OR_NULL)
  failure!: string | null;
}
