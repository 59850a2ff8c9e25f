import { currentTraceparent } from '@autoposter/observability';
import type { EntityManager } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { RowStore } from '../database/row-store';
import { EventRecord } from './event-record.entity';
import type { CollectedEvent, NewEvent } from './new-event';
import { WAIT_FOR_NUMBERS } from './write-last';

const AFTER = 'SELECT * FROM event_history WHERE seq > $1 ORDER BY seq LIMIT $2';

/** What happened. Events are collected during the unit of work and get their numbers in its last statement. */
export class HistoryRepository extends RowStore<EventRecord> {
  private readonly collected: CollectedEvent[] = [];
  /** Below this number all that is missing is missing for good. */
  private decided = 0;

  constructor(manager: EntityManager) {
    super(manager, EventRecord);
  }

  /** Answers the event as it will be written: what a later part of the transaction decides can still be filled in. */
  append(event: NewEvent): NewEvent {
    if (!this.manager.queryRunner?.isTransactionActive)
      throw new Error('an event belongs to a unit of work; outside of one it would never be written');
    const reason = event.reason?.slice(0, 300) ?? null;
    const collected: CollectedEvent = {
      ...event,
      reason,
      id: uuidv7(),
      correlationId: event.correlationId ?? uuidv7(),
      occurredAt: new Date().toISOString(),
      traceparent: currentTraceparent() ?? event.traceparent ?? null,
    };
    this.collected.push(collected);
    return collected;
  }

  /** Called by the unit of work, once, when all else is written. */
  take(): CollectedEvent[] {
    return this.collected.splice(0);
  }

  /**
   * Events after `seq`, in order, and never one before all smaller ones. A number that is missing was given to a transaction that was
   * rolled back, or to one that is about to commit: where that is not known yet, the reader waits for those, which is a matter of
   * milliseconds, and looks again.
   */
  async after(seq: number, limit: number): Promise<EventRecord[]> {
    const page = await this.rows(AFTER, [seq, limit]);
    if (!this.mayLack(seq, page)) return page;
    return this.whenDecided(async (settled) => {
      const whole = await settled.rows(AFTER, [seq, limit]);
      this.decided = Math.max(this.decided, whole.at(-1)?.seq ?? 0);
      return whole;
    });
  }

  ofItem(itemId: string): Promise<EventRecord[]> {
    return this.rows('SELECT * FROM event_history WHERE item_id = $1 ORDER BY seq', [itemId]);
  }

  /** Smallest and greatest number that is kept, with no smaller one still to come; both 0 while there is none. */
  range(): Promise<{ first: number; last: number }> {
    return this.whenDecided(async (settled) => {
      const { rows } = await settled.run<{ first: string | null; last: string | null }>(
        'SELECT min(seq) AS first, max(seq) AS last FROM event_history',
      );
      return { first: Number(rows[0]?.first ?? 0), last: Number(rows[0]?.last ?? 0) };
    });
  }

  async prune(days: number): Promise<number> {
    return (await this.run('DELETE FROM event_history WHERE occurred_at < now() - make_interval(days => $1)', [days])).count;
  }

  /** Whether a number between `seq` and the end of the page is missing that nobody has looked into. */
  private mayLack(seq: number, page: readonly EventRecord[]): boolean {
    let expected = seq + 1;
    for (const { seq: found } of page) {
      if (found !== expected && found > this.decided) return true;
      expected = found + 1;
    }
    return false;
  }

  /** Runs `look` when every number that was given is either committed or gone for good. */
  private whenDecided<T>(look: (settled: HistoryRepository) => Promise<T>): Promise<T> {
    return this.manager.transaction(async (manager) => {
      await manager.query(WAIT_FOR_NUMBERS);
      return look(new HistoryRepository(manager));
    });
  }
}
