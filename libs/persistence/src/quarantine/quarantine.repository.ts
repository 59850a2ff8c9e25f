import { cutText } from '@autoposter/domain';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { ID, INTEGER_OR_NULL, TEXT, TEXT_OR_NULL, TIME } from '../database/columns';
import { SqlRepository } from '../database/sql-repository';

/** An unreadable message, kept with its text and the reason. */
@Entity('quarantined_messages')
export class QuarantinedMessage {
  @PrimaryColumn(ID) id!: string;
  @Column(TEXT) topic!: string;
  @Column(INTEGER_OR_NULL) partition!: number | null;
  @Column(TEXT_OR_NULL) messageOffset!: string | null;
  @Column(TEXT) body!: string;
  @Column(TEXT) reason!: string;
  @Column(TIME) receivedAt!: Date;
}

/** In characters; the rest of a longer message is cut. */
const BODY_LIMIT = 16_384;

export class QuarantineRepository extends SqlRepository<QuarantinedMessage> {
  protected readonly entity = QuarantinedMessage;

  async add(message: Omit<QuarantinedMessage, 'id' | 'receivedAt'>): Promise<void> {
    await this.insert({ id: uuidv7(), ...message, body: cutText(message.body, BODY_LIMIT) });
  }

  /** A page, newest first; `offset` counts rows. */
  list(limit: number, offset = 0): Promise<QuarantinedMessage[]> {
    return this.rows('SELECT * FROM quarantined_messages ORDER BY received_at DESC, id DESC OFFSET $2 LIMIT $1', [limit, offset]);
  }

  countAll(): Promise<number> {
    return this.count('SELECT count(*) FROM quarantined_messages');
  }
}
