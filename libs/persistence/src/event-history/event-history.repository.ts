import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { FactType, Stage } from '@autoposter/contracts';
import { cutText } from '@autoposter/domain';
import { currentTraceparent } from '@autoposter/observability';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import { BIGINT, ID, ID_OR_NULL, TEXT, TEXT_OR_NULL, TIME } from '../database/columns';
import { SqlRepository } from '../database/sql-repository';
import { COMMITS_WITH_NUMBERS, type CollectedEvent, type NewEvent } from './commit-statement';

/** An event of the history. A reader that has read `seq` N has read all smaller ones. */
@Entity('event_history')
export class EventRecord {
  @PrimaryColumn(BIGINT) seq!: number;
  @Column(ID) id!: string;
  @Column(TEXT) type!: FactType;
  @Column(ID) subjectId!: string;
  @Column(ID_OR_NULL) itemId!: string | null;
  @Column(TEXT_OR_NULL) stage!: Stage | null;
  @Column(TEXT_OR_NULL) state!: string | null;
  @Column(TEXT_OR_NULL) reason!: string | null;
  @Column(ID) correlationId!: string;
  @Column(TEXT) actor!: string;
  @Column(TIME) occurredAt!: Date;
}

const AFTER = 'SELECT * FROM event_history WHERE seq > $1 ORDER BY seq LIMIT $2';
/** Reads the same range again: more numbers may have been assigned meanwhile. */
const BETWEEN = 'SELECT * FROM event_history WHERE seq > $1 AND seq <= $2 ORDER BY seq';
/** The last number before the first gap among the newest events, as far as one page goes back. */
const BEFORE_GAP = `
  SELECT min(seq) AS seq FROM (
    SELECT seq, lead(seq) OVER (ORDER BY seq) AS next FROM (SELECT seq FROM event_history ORDER BY seq DESC LIMIT 500) AS newest
  ) AS pairs WHERE seq > $1 AND next > seq + 1`;

/** A commit that has its number normally ends within milliseconds; after this time a reader returns the events before the gap. */
const COMMIT_WAIT_MS = 200;
const POLL_MS = 5;

/** Events are collected during the unit of work; its last statement numbers and writes them. */
export class HistoryRepository extends SqlRepository<EventRecord> {
  private readonly collected: CollectedEvent[] = [];
  /** Numbers that are missing below this one belong to rolled-back transactions. */
  private decided = 0;

  protected readonly entity = EventRecord;

  /** Returns the event as it will be written, so that a later part of the transaction can complete it. */
  append(event: NewEvent): NewEvent {
    if (!this.manager.queryRunner?.isTransactionActive)
      throw new Error('an event needs a unit of work; outside of one it would never be written');
    const reason = typeof event.reason === 'string' ? cutText(event.reason, 300) : null;
    const collected: CollectedEvent = {
      ...event,
      reason,
      // no index has it, so it need not grow with time, and Node makes these in advance
      id: randomUUID(),
      correlationId: event.correlationId ?? randomUUID(),
      traceparent: currentTraceparent() ?? event.traceparent ?? null,
    };
    this.collected.push(collected);
    return collected;
  }

  /** Called once by the unit of work, before its last statement. */
  take(): CollectedEvent[] {
    return this.collected.splice(0);
  }

  /**
   * Events after `seq`, in order and without unfinished gaps. A missing number belongs to a transaction that was rolled back or is about to
   * commit. The reader waits briefly for the latter, without a lock that could block commits; after that it returns the events before the
   * gap, and the next call returns the rest.
   */
  async after(seq: number, limit: number): Promise<EventRecord[]> {
    const page = await this.rows(AFTER, [seq, limit]);
    const gap = this.firstGap(seq, page);
    const last = page.at(-1)?.seq;
    if (gap < 0 || last === undefined) return page;
    if (!(await this.commitsEnded())) return page.slice(0, gap);
    const whole = await this.rows(BETWEEN, [seq, last]);
    this.decided = Math.max(this.decided, last);
    return whole.slice(0, limit);
  }

  ofItem(itemId: string): Promise<EventRecord[]> {
    return this.rows('SELECT * FROM event_history WHERE item_id = $1 ORDER BY seq', [itemId]);
  }

  /**
   * Smallest and greatest stored number, without unfinished gaps below; both 0 if there are no events. While a numbered commit takes long,
   * the result is the number before its gap.
   */
  async range(): Promise<{ first: number; last: number }> {
    const { rows } = await this.run<{ first: number | null; last: number | null }>(
      'SELECT min(seq) AS first, max(seq) AS last FROM event_history',
    );
    const [first, last] = [rows[0]?.first ?? 0, rows[0]?.last ?? 0];
    if (last <= this.decided) return { first, last };
    if (await this.commitsEnded()) {
      this.decided = Math.max(this.decided, last);
      return { first, last };
    }
    return { first, last: (await this.value<number>(BEFORE_GAP, [this.decided])) ?? last };
  }

  /** Index of the first event in the page behind a gap that may still be committed; -1 without one. */
  private firstGap(seq: number, page: readonly EventRecord[]): number {
    let expected = seq + 1;
    for (const [place, { seq: found }] of page.entries()) {
      if (found !== expected && found > this.decided) return place;
      expected = found + 1;
    }
    return -1;
  }

  /** Whether all transactions that hold a number now end within `COMMIT_WAIT_MS`; their events are visible afterwards. */
  private async commitsEnded(): Promise<boolean> {
    const until = performance.now() + COMMIT_WAIT_MS;
    let open: readonly string[] | null = null;
    for (;;) {
      const holding = new Set(await this.column<string>(COMMITS_WITH_NUMBERS));
      open = (open ?? [...holding]).filter((id) => holding.has(id));
      if (open.length === 0) return true;
      if (performance.now() > until) return false;
      await pause(POLL_MS);
    }
  }
}
