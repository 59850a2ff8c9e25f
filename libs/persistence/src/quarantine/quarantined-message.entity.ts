import { Column, Entity, PrimaryColumn } from 'typeorm';
import { INTEGER_OR_NULL, TEXT, TEXT_OR_NULL, TIME } from '../database/columns';

/** A message that could not be read, kept with its text and the reason. */
@Entity('quarantined_messages')
export class QuarantinedMessage {
  @PrimaryColumn({ type: 'uuid' })
  id!: string;

  @Column(TEXT)
  topic!: string;

  @Column(INTEGER_OR_NULL)
  partition!: number | null;

  @Column(TEXT_OR_NULL)
  messageOffset!: string | null;

  @Column(TEXT)
  body!: string;

  @Column(TEXT)
  reason!: string;

  @Column(TIME)
  receivedAt!: Date;
}
