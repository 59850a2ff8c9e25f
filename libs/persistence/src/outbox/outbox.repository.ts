import type { Envelope } from '@autoposter/contracts';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import { ID, INTEGER, JSON_VALUE, TEXT, TEXT_OR_NULL, TIME, TIME_OR_NULL } from '../database/columns';
import { SqlRepository } from '../database/sql-repository';

/** A message that waits for the relay. */
@Entity('outbox')
export class OutboxMessage {
  @PrimaryColumn(ID) id!: string;
  @Column(TEXT) topic!: string;
  @Column(TEXT) key!: string;
  @Column(JSON_VALUE) envelope!: Envelope;
  @Column(TIME) createdAt!: Date;
  @Column(TIME_OR_NULL) sentAt!: Date | null;
  /** Refused messages are due later. */
  @Column(TIME) dueAt!: Date;
  /** How often the bus refused it. */
  @Column(INTEGER) attempts!: number;
  /** When the bus refused it first. */
  @Column(TIME_OR_NULL) refusedAt!: Date | null;
  /** Kind of the last refusal. */
  @Column(TEXT_OR_NULL) failure!: string | null;
}

export interface OutgoingRow {
  topic: string;
  key: string;
  envelope: Envelope;
}

export interface Parking {
  /** Kind of the refusal. */
  failure: string;
  firstPauseMs: number;
  /** How often the pause doubles at most. */
  doublings: number;
}

/** What the bus does not take: one message that it refuses for itself, or the messages of a topic. */
export interface RefusedMessages {
  /** Of the message that is refused longest. */
  id: string;
  topic: string;
  failure: string;
  count: number;
  /** Since when it counts as lasting. */
  since: Date;
}

const MOST_REFUSED = 200;

export class OutboxRepository extends SqlRepository<OutboxMessage> {
  private readonly added: OutgoingRow[] = [];

  protected readonly entity = OutboxMessage;

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

  /** Due messages, of each topic the oldest `limit`, locked until the transaction ends; those that another relay holds are left out. */
  lockDue(topics: readonly string[], limit: number): Promise<OutboxMessage[]> {
    return this.rows(
      `SELECT due.* FROM unnest($1::text[]) AS t (name) CROSS JOIN LATERAL (
         SELECT * FROM outbox WHERE topic = t.name AND sent_at IS NULL AND due_at <= now() ORDER BY due_at, id LIMIT $2 FOR UPDATE SKIP LOCKED
       ) AS due`,
      [topics, limit],
    );
  }

  /** Refused messages are due again after a pause that doubles with each refusal; on the database clock. */
  async park(ids: readonly string[], { failure, firstPauseMs, doublings }: Parking): Promise<void> {
    await this.run(
      `UPDATE outbox SET attempts = attempts + 1, failure = $2, refused_at = coalesce(refused_at, clock_timestamp()),
         due_at = clock_timestamp() + $3 * power(2, least(attempts, $4::int)) * interval '1 millisecond' WHERE id = ANY($1::uuid[])`,
      [ids, failure, firstPauseMs, doublings],
    );
  }

  /** The topic takes messages again: what it refused is due now, except for what it refused for another reason than its own. */
  async release(topic: string, exceptFailures: readonly string[]): Promise<void> {
    await this.run(
      `UPDATE outbox SET due_at = now() WHERE topic = $1 AND sent_at IS NULL AND due_at > now() AND failure <> ALL ($2::text[])`,
      [topic, exceptFailures],
    );
  }

  /** How many messages the bus refused and has not taken since. */
  async countParked(): Promise<number> {
    const { rows } = await this.run<{ count: number }>('SELECT count(*)::int AS count FROM outbox WHERE sent_at IS NULL AND attempts > 0');
    return rows[0]?.count ?? 0;
  }

  /**
   * What the bus has refused for `seconds` now, the newest first: by topic, and each message alone where the last refusal is one of
   * `ofTheMessage`, which says nothing about the topic.
   */
  async refused(seconds: number, ofTheMessage: readonly string[]): Promise<RefusedMessages[]> {
    const { rows } = await this.run<RefusedMessages>(
      `SELECT (array_agg(id ORDER BY since, id))[1] AS id, topic, (array_agg(failure ORDER BY since, id))[1] AS failure,
         count(*)::int AS count, min(since) + make_interval(secs => $1) AS since
       FROM (SELECT id, topic, coalesce(failure, 'transient') AS failure, coalesce(refused_at, created_at) AS since FROM outbox
             WHERE sent_at IS NULL AND attempts > 0) AS parked
       WHERE since <= clock_timestamp() - make_interval(secs => $1)
       GROUP BY topic, CASE WHEN failure = ANY($2::text[]) THEN id END
       ORDER BY min(since) DESC, 1 LIMIT ${MOST_REFUSED}`,
      [seconds, ofTheMessage],
    );
    return rows;
  }

  async markSent(ids: readonly string[]): Promise<void> {
    await this.run('UPDATE outbox SET sent_at = now() WHERE id = ANY($1::uuid[])', [ids]);
  }

  async countUnsent(): Promise<number> {
    const { rows } = await this.run<{ count: number }>('SELECT count(*)::int AS count FROM outbox WHERE sent_at IS NULL');
    return rows[0]?.count ?? 0;
  }

  /** How many messages wait for the relay, how many of them the bus refused, and for how many seconds the oldest does. */
  async backlog(): Promise<{ waiting: number; parked: number; oldestSeconds: number | null }> {
    const { rows } = await this.run<{ waiting: number; parked: number; oldestSeconds: number | null }>(
      `SELECT count(*)::int AS waiting, (count(*) FILTER (WHERE attempts > 0))::int AS parked,
         greatest(0, floor(extract(epoch FROM clock_timestamp() - min(created_at))))::int AS "oldestSeconds"
       FROM outbox WHERE sent_at IS NULL`,
    );
    const [backlog] = rows;
    return backlog === undefined || backlog.waiting === 0 ? { waiting: 0, parked: 0, oldestSeconds: null } : backlog;
  }
}
