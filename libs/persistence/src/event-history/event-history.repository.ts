import { setTimeout as pause } from 'node:timers/promises';
import type { FactType, Stage } from '@autoposter/contracts';
import { cutText } from '@autoposter/domain';
import { currentTraceparent } from '@autoposter/observability';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { BIGINT, ID, ID_OR_NULL, TEXT, TEXT_OR_NULL, TIME } from '../database/columns';
import { SqlRepository } from '../database/sql-repository';
import { type CollectedEvent, COMMITS_WITH_NUMBERS, type NewEvent } from './commit-statement';

/** Something that happened. A reader that has seen `seq` N never misses a smaller one. */
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
/** The same rows again: greater numbers may have been given meanwhile. */
const BETWEEN = 'SELECT * FROM event_history WHERE seq > $1 AND seq <= $2 ORDER BY seq';
/** The last number before the first gap among the newest events, as far as one page goes back. */
const BEFORE_GAP = `
  SELECT min(seq) AS seq FROM (
    SELECT seq, lead(seq) OVER (ORDER BY seq) AS next FROM (SELECT seq FROM event_history ORDER BY seq DESC LIMIT 500) AS newest
  ) AS pairs WHERE seq > $1 AND next > seq + 1`;

/** A commit that has its number ends within milliseconds; a reader that waited this long takes what is certain and comes back. */
const PATIENCE_MS = 200;
const PAUSE_MS = 5;

/** What happened. Events are collected during the unit of work and get their numbers in its last statement. */
export class HistoryRepository extends SqlRepository<EventRecord> {
  private readonly collected: CollectedEvent[] = [];
  /** Below this number all that is missing is missing for good. */
  private decided = 0;

  protected readonly entity = EventRecord;

  /** Answers the event as it will be written: what a later part of the transaction decides can still be filled in. */
  append(event: NewEvent): NewEvent {
    if (!this.manager.queryRunner?.isTransactionActive)
      throw new Error('an event belongs to a unit of work; outside of one it would never be written');
    const reason = typeof event.reason === 'string' ? cutText(event.reason, 300) : null;
    const collected: CollectedEvent = {
      ...event,
      reason,
      id: uuidv7(),
      correlationId: event.correlationId ?? uuidv7(),
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
   * Events after `seq`, in order, and never one before all smaller ones. A missing number was given to a transaction that was rolled back,
   * or to one that is about to commit. The reader waits a moment for the latter, without any lock that a commit could wait for; where it
   * takes longer, the events before the missing number are the answer, and the next call finds the rest.
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
   * Smallest and greatest number that is kept, with no smaller one still to come; both 0 while there is none. Where a commit with a number
   * takes long, the answer is a smaller number from before it.
   */
  async range(): Promise<{ first: number; last: number }> {
    const { rows } = await this.run<{ first: string | null; last: string | null }>(
      'SELECT min(seq) AS first, max(seq) AS last FROM event_history',
    );
    const [first, last] = [Number(rows[0]?.first ?? 0), Number(rows[0]?.last ?? 0)];
    if (last <= this.decided) return { first, last };
    if (await this.commitsEnded()) {
      this.decided = Math.max(this.decided, last);
      return { first, last };
    }
    const before = (await this.run<{ seq: string | null }>(BEFORE_GAP, [this.decided])).rows[0]?.seq ?? null;
    return { first, last: before === null ? last : Number(before) };
  }

  /** Place in the page of the first event before which a number is missing that may still be committed; -1 where there is none. */
  private firstGap(seq: number, page: readonly EventRecord[]): number {
    let expected = seq + 1;
    for (const [place, { seq: found }] of page.entries()) {
      if (found !== expected && found > this.decided) return place;
      expected = found + 1;
    }
    return -1;
  }

  /** Whether all transactions that hold a number now have ended, or end within the patience: what they wrote is visible afterwards. */
  private async commitsEnded(): Promise<boolean> {
    const until = performance.now() + PATIENCE_MS;
    let open: readonly string[] | null = null;
    for (;;) {
      const { rows } = await this.run<{ id: string }>(COMMITS_WITH_NUMBERS);
      const holding = new Set(rows.map(({ id }) => id));
      open = (open ?? [...holding]).filter((id) => holding.has(id));
      if (open.length === 0) return true;
      if (performance.now() > until) return false;
      await pause(PAUSE_MS);
    }
  }
}
