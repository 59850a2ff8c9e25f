import { Column, Entity, PrimaryColumn } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { ID, INTEGER, JSON_VALUE, TEXT, TEXT_OR_NULL, TIME, TIME_OR_NULL } from '../database/columns';
import { SqlRepository } from '../database/sql-repository';

/** A message to administrators outside of the console: one row per channel. */
@Entity('notifications')
export class Notification {
  @PrimaryColumn(ID) id!: string;
  @Column(TEXT) channel!: string;
  @Column(JSON_VALUE) body!: unknown;
  @Column(INTEGER) attempts!: number;
  /** When it is delivered next; a claimed one is delivered again only after this time. */
  @Column(TIME) nextAt!: Date;
  @Column(TEXT_OR_NULL) lastError!: string | null;
  @Column(TIME) createdAt!: Date;
  @Column(TIME_OR_NULL) sentAt!: Date | null;
}

export class NotificationRepository extends SqlRepository<Notification> {
  protected readonly entity = Notification;

  async add(channels: readonly string[], body: unknown): Promise<void> {
    await this.run(
      `INSERT INTO notifications (id, channel, body) SELECT v.id, v.channel, $3::jsonb FROM unnest($1::uuid[], $2::text[]) AS v (id, channel)`,
      [channels.map(() => uuidv7()), channels, JSON.stringify(body)],
    );
  }

  /**
   * Due messages, each given to one process: a delivery that ends without a result is repeated after a growing pause, at last every two
   * hours, until the message is accepted or removed for its age.
   */
  claimDue(limit: number): Promise<Notification[]> {
    return this.rows(
      `UPDATE notifications SET attempts = attempts + 1, next_at = now() + least(power(2, least(attempts, 8)) * interval '30 seconds', interval '2 hours')
       WHERE id IN (SELECT id FROM notifications WHERE sent_at IS NULL AND next_at <= now()
         ORDER BY next_at, id LIMIT $1 FOR UPDATE SKIP LOCKED)
       RETURNING *`,
      [limit],
    );
  }

  async markSent(id: string): Promise<void> {
    await this.run('UPDATE notifications SET sent_at = now(), last_error = NULL WHERE id = $1', [id]);
  }

  async markFailed(id: string, error: string): Promise<void> {
    await this.run('UPDATE notifications SET last_error = $2 WHERE id = $1', [id, error]);
  }
}
