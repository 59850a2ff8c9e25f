import { type Envelope, LIMITS, type Stage } from '@autoposter/contracts';
import type { Failure } from '@autoposter/domain';
import { Column, Entity, type EntityManager, PrimaryColumn } from 'typeorm';
import { ID, INTEGER, JSON_VALUE, TEXT, TEXT_OR_NULL, TIME, TIME_OR_NULL } from '../database/columns';
import { SqlRepository } from '../database/sql-repository';
import type { StageJob } from '../stage-job/stage-job.entity';
import { deadLetterMessage, type OutgoingRow, requestMessage } from './messages';

/** Which rows are published as messages. None without a consumer: the job rows are the queue, and the history stores the facts. */
export interface Publishing {
  /** Requests of jobs, and copies of dead ones. */
  requests: boolean;
  facts: boolean;
}

/** A message that waits for the relay. A sent one is deleted; programs before `RowsAreTheQueue` marked it in `sent_at`. */
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
  /** Number of refusals by the bus. */
  @Column(INTEGER) attempts!: number;
  /** Time of the first refusal. */
  @Column(TIME_OR_NULL) refusedAt!: Date | null;
  /** Failure kind of the last refusal. */
  @Column(TEXT_OR_NULL) failure!: string | null;
}

/** What the relay needs of a message. */
export type DueMessage = Pick<OutboxMessage, 'id' | 'topic' | 'key' | 'envelope' | 'failure'>;

interface Parking {
  /** Failure kind of the refusal. */
  failure: string;
  firstPauseMs: number;
  /** Maximum number of times that the pause doubles. */
  doublings: number;
}

/** A refused message, or all refused messages of a topic. */
export interface RefusedMessages {
  /** The message that was refused first. */
  id: string;
  topic: string;
  failure: string;
  count: number;
  /** When the refusal exceeded the threshold. */
  since: Date;
}

const MAX_REFUSED = 200;

export class OutboxRepository extends SqlRepository<OutboxMessage> {
  private readonly added: OutgoingRow[] = [];
  private readonly requested = new Set<Stage>();

  protected readonly entity = OutboxMessage;

  constructor(
    manager: EntityManager,
    private readonly publishing: Publishing,
  ) {
    super(manager);
  }

  get publishesRequests(): boolean {
    return this.publishing.requests;
  }

  /** Announces requested jobs: their workers are woken after the commit and, where requests are published, get a message each. */
  request(jobs: readonly StageJob[]): void {
    for (const { stage } of jobs) this.requested.add(stage);
    if (this.publishing.requests) this.add(jobs.map(requestMessage));
  }

  /** Whether this unit of work has requested jobs of the stage. */
  hasRequested(stage: Stage): boolean {
    return this.requested.has(stage);
  }

  /** No worker has to be woken for the requested jobs of the stage: this unit of work claimed all of them. */
  forgetRequests(stage: Stage): void {
    this.requested.delete(stage);
  }

  /** Adds a copy of a dead job where requests are published. */
  bury(job: StageJob, failure: Failure, step: string | null): void {
    if (this.publishing.requests) this.add([deadLetterMessage(job, failure, step)]);
  }

  /**
   * Adds messages for the relay; the last statement of the unit of work writes them. The envelope's id is the row's id, so a message cannot
   * be added twice.
   */
  add(messages: readonly OutgoingRow[]): void {
    if (!this.manager.queryRunner?.isTransactionActive)
      throw new Error('a message needs a unit of work; outside of one it would never be written');
    this.added.push(...messages);
  }

  /** Called once by the unit of work, before its last statement. */
  take(): { messages: OutgoingRow[]; requested: ReadonlySet<Stage> } {
    return { messages: this.added.splice(0), requested: this.requested };
  }

  /** The oldest `limit` due messages of each topic, locked until the transaction ends; skips those that another relay holds. */
  async lockDue(topics: readonly string[], limit: number): Promise<DueMessage[]> {
    return this.select<DueMessage>(
      `SELECT due.* FROM unnest($1::text[]) AS t (name) CROSS JOIN LATERAL (
         SELECT id, topic, key, envelope, failure FROM outbox WHERE topic = t.name AND sent_at IS NULL AND due_at <= now()
         ORDER BY due_at, id LIMIT $2 FOR UPDATE SKIP LOCKED
       ) AS due`,
      [topics, limit],
    );
  }

  /** Postpones refused messages by a pause that doubles with each refusal, on the database clock. */
  async park(ids: readonly string[], { failure, firstPauseMs, doublings }: Parking): Promise<void> {
    await this.run(
      `UPDATE outbox SET attempts = attempts + 1, failure = $2, refused_at = coalesce(refused_at, clock_timestamp()),
         due_at = clock_timestamp() + $3 * power(2, least(attempts, $4::int)) * interval '1 millisecond' WHERE id = ANY($1::uuid[])`,
      [ids, failure, firstPauseMs, doublings],
    );
  }

  /** Makes the refused messages of a topic due now, except those that were refused with one of `exceptFailures`. */
  async release(topic: string, exceptFailures: readonly string[]): Promise<void> {
    await this.run(
      `UPDATE outbox SET due_at = now() WHERE topic = $1 AND sent_at IS NULL AND due_at > now() AND failure <> ALL ($2::text[])`,
      [topic, exceptFailures],
    );
  }

  /**
   * Messages that the bus has refused for at least `seconds`, newest first, grouped by topic. A refusal of one of the kinds
   * `ofTheMessage` concerns only that message, which forms its own group.
   */
  async refused(seconds: number, ofTheMessage: readonly string[]): Promise<RefusedMessages[]> {
    return this.select<RefusedMessages>(
      `SELECT (array_agg(id ORDER BY since, id))[1] AS id, topic, (array_agg(failure ORDER BY since, id))[1] AS failure,
         count(*)::int AS count, min(since) + make_interval(secs => $1) AS since
       FROM (SELECT id, topic, coalesce(failure, 'transient') AS failure, coalesce(refused_at, created_at) AS since FROM outbox
             WHERE sent_at IS NULL AND attempts > 0) AS parked
       WHERE since <= clock_timestamp() - make_interval(secs => $1)
       GROUP BY topic, CASE WHEN failure = ANY($2::text[]) THEN id END
       ORDER BY min(since) DESC, 1 LIMIT ${MAX_REFUSED}`,
      [seconds, ofTheMessage],
    );
  }

  async remove(ids: readonly string[]): Promise<void> {
    await this.run('DELETE FROM outbox WHERE id = ANY($1::uuid[])', [ids]);
  }

  /** Deletes unsent messages of an earlier configuration or version. No data is lost: jobs and history have rows of their own. */
  async discardUnsent(): Promise<void> {
    await this.run('DELETE FROM outbox WHERE sent_at IS NULL');
  }

  /** Number of unsent messages, number of those that were refused, and age of the oldest, of the first `atMost`. */
  async backlog(atMost: number = LIMITS.countedJobs): Promise<{ waiting: number; parked: number; oldestSeconds: number | null }> {
    const { rows } = await this.run<{ waiting: number; parked: number; oldestSeconds: number | null }>(
      `SELECT count(*)::int AS waiting, (count(*) FILTER (WHERE attempts > 0))::int AS parked,
         greatest(0, floor(extract(epoch FROM clock_timestamp() - min(created_at))))::int AS "oldestSeconds"
       FROM (SELECT attempts, created_at FROM outbox WHERE sent_at IS NULL LIMIT $1) AS unsent`,
      [atMost],
    );
    const [backlog] = rows;
    return backlog === undefined || backlog.waiting === 0 ? { waiting: 0, parked: 0, oldestSeconds: null } : backlog;
  }
}
