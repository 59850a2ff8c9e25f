import { topics, type Fact, type FactType, type Stage } from '@autoposter/contracts';
import type { EntityManager } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { RowStore } from '../database/row-store';
import type { OutboxRepository } from '../outbox/outbox.repository';
import { EventRecord } from './event-record.entity';

export interface NewEvent {
  type: FactType;
  subjectId: string;
  itemId?: string | null;
  stage?: Stage | null;
  state?: string | null;
  /** Cut at 300 characters. */
  reason?: string | null;
  correlationId?: string;
  causationId?: string | null;
  /** `system` unless a person is behind it. */
  actor?: string;
}

type Collected = NewEvent & { id: string; correlationId: string; occurredAt: string };

/**
 * What happened. Events are collected during the unit of work and get their numbers in its last statements: the counter's row lock is
 * held for those alone, and makes numbers appear in the order in which transactions commit.
 */
export class HistoryRepository extends RowStore<EventRecord> {
  private readonly collected: Collected[] = [];

  constructor(manager: EntityManager) {
    super(manager, EventRecord);
  }

  /** Answers the event as it will be written: what a later part of the transaction decides can still be filled in. */
  append(event: NewEvent): NewEvent {
    if (!this.manager.queryRunner?.isTransactionActive)
      throw new Error('an event belongs to a unit of work; outside of one it would never be written');
    const reason = event.reason?.slice(0, 300) ?? null;
    const collected: Collected = {
      ...event,
      reason,
      id: uuidv7(),
      correlationId: event.correlationId ?? uuidv7(),
      occurredAt: new Date().toISOString(),
    };
    this.collected.push(collected);
    return collected;
  }

  get pending(): number {
    return this.collected.length;
  }

  /** Called by the unit of work, once, as the last thing before it commits. Each event also goes to the facts topic. */
  async flush(outbox: OutboxRepository): Promise<void> {
    const events = this.collected.splice(0);
    if (events.length === 0) return;
    const { rows } = await this.run<{ last: string }>('UPDATE event_sequence SET last = last + $1 RETURNING last', [events.length]);
    const first = Number(rows[0]?.last) - events.length + 1;
    await this.run(
      `INSERT INTO event_history (seq, id, type, subject_id, item_id, stage, state, reason, correlation_id, actor, occurred_at)
       SELECT * FROM unnest($1::bigint[], $2::uuid[], $3::text[], $4::uuid[], $5::uuid[], $6::text[], $7::text[], $8::text[], $9::uuid[], $10::text[], $11::timestamptz[])`,
      [
        events.map((_event, index) => first + index),
        events.map((event) => event.id),
        events.map((event) => event.type),
        events.map((event) => event.subjectId),
        events.map((event) => event.itemId ?? null),
        events.map((event) => event.stage ?? null),
        events.map((event) => event.state ?? null),
        events.map((event) => event.reason ?? null),
        events.map((event) => event.correlationId),
        events.map((event) => event.actor ?? 'system'),
        events.map((event) => event.occurredAt),
      ],
    );
    await outbox.add(
      events.map((event, index) => ({ topic: topics.facts.name, key: event.subjectId, envelope: factOf(event, first + index) })),
    );
  }

  /** Events after `seq`, in order. */
  after(seq: number, limit: number): Promise<EventRecord[]> {
    return this.rows('SELECT * FROM event_history WHERE seq > $1 ORDER BY seq LIMIT $2', [seq, limit]);
  }

  ofItem(itemId: string): Promise<EventRecord[]> {
    return this.rows('SELECT * FROM event_history WHERE item_id = $1 ORDER BY seq', [itemId]);
  }

  /** Smallest and greatest number that is kept; both 0 while there is none. */
  async range(): Promise<{ first: number; last: number }> {
    const { rows } = await this.run<{ first: string | null; last: string | null }>(
      'SELECT min(seq) AS first, max(seq) AS last FROM event_history',
    );
    return { first: Number(rows[0]?.first ?? 0), last: Number(rows[0]?.last ?? 0) };
  }

  async prune(days: number): Promise<number> {
    return (await this.run('DELETE FROM event_history WHERE occurred_at < now() - make_interval(days => $1)', [days])).count;
  }
}

const factOf = (event: Collected, seq: number): Fact => ({
  id: event.id,
  type: event.type,
  occurredAt: event.occurredAt,
  subjectId: event.subjectId,
  correlationId: event.correlationId,
  causationId: event.causationId ?? null,
  traceparent: null,
  payload: { seq, itemId: event.itemId ?? null, stage: event.stage ?? null, state: event.state ?? null, reason: event.reason ?? null },
});
