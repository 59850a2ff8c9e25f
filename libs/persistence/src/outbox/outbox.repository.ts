import type { Envelope } from '@autoposter/contracts';
import type { EntityManager } from 'typeorm';
import { RowStore } from '../database/row-store';
import { OutboxMessage } from './outbox-message.entity';

export interface OutgoingRow {
  topic: string;
  key: string;
  envelope: Envelope;
}

export class OutboxRepository extends RowStore<OutboxMessage> {
  private readonly added: OutgoingRow[] = [];

  constructor(manager: EntityManager) {
    super(manager, OutboxMessage);
  }

  /**
   * Leaves messages for the relay: written with the last statement of the unit of work. The envelope's id becomes the row's id, so that
   * the same message cannot lie here twice.
   */
  add(messages: readonly OutgoingRow[]): Promise<void> {
    if (!this.manager.queryRunner?.isTransactionActive)
      throw new Error('a message belongs to a unit of work; outside of one it would never be written');
    this.added.push(...messages);
    return Promise.resolve();
  }

  /** Called by the unit of work, once, when all else is written. */
  take(): OutgoingRow[] {
    return this.added.splice(0);
  }

  /** Unsent messages, oldest first, locked until the transaction ends; those that another relay holds are left out. */
  lockUnsent(limit: number): Promise<OutboxMessage[]> {
    return this.rows('SELECT * FROM outbox WHERE sent_at IS NULL ORDER BY created_at, id LIMIT $1 FOR UPDATE SKIP LOCKED', [limit]);
  }

  async markSent(ids: readonly string[]): Promise<void> {
    await this.run('UPDATE outbox SET sent_at = now() WHERE id = ANY($1::uuid[])', [ids]);
  }

  async countUnsent(): Promise<number> {
    const { rows } = await this.run<{ count: number }>('SELECT count(*)::int AS count FROM outbox WHERE sent_at IS NULL');
    return rows[0]?.count ?? 0;
  }

  /** How many messages wait for the relay, and for how many seconds the oldest does. */
  async backlog(): Promise<{ waiting: number; oldestSeconds: number | null }> {
    const { rows } = await this.run<{ waiting: number; oldestSeconds: number | null }>(
      `SELECT count(*)::int AS waiting, greatest(0, floor(extract(epoch FROM clock_timestamp() - min(created_at))))::int AS "oldestSeconds"
       FROM outbox WHERE sent_at IS NULL`,
    );
    const [backlog] = rows;
    return backlog === undefined || backlog.waiting === 0 ? { waiting: 0, oldestSeconds: null } : backlog;
  }
}
