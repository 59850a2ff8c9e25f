import { cutText } from '@autoposter/domain';
import type { EntityManager } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { RowStore } from '../database/row-store';
import { QuarantinedMessage } from './quarantined-message.entity';

/** Longest part of an unreadable message that is kept, in characters. */
const BODY_LIMIT = 16_384;

export class QuarantineRepository extends RowStore<QuarantinedMessage> {
  constructor(manager: EntityManager) {
    super(manager, QuarantinedMessage);
  }

  async add(message: Omit<QuarantinedMessage, 'id' | 'receivedAt'>): Promise<void> {
    await this.insert({ id: uuidv7(), ...message, body: cutText(message.body, BODY_LIMIT) });
  }

  /** A page, newest first; `offset` counts rows. */
  list(limit: number, offset = 0): Promise<QuarantinedMessage[]> {
    return this.rows('SELECT * FROM quarantined_messages ORDER BY received_at DESC, id DESC OFFSET $2 LIMIT $1', [limit, offset]);
  }

  async count(): Promise<number> {
    const { rows } = await this.run<{ count: number }>('SELECT count(*)::int AS count FROM quarantined_messages');
    return rows[0]?.count ?? 0;
  }
}
