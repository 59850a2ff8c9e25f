import type { LiveFact } from '@autoposter/contracts';
import type { Reads } from '../items/item-rows';
import type { FactSource } from './live-hub';

/** Name of the database channel on which committed facts are announced. */
export const EVENTS_CHANNEL = 'autoposter_events';

interface FactRow extends Omit<LiveFact, 'seq' | 'occurredAt'> {
  seq: string;
  occurredAt: Date;
}

/** Facts as the event history keeps them. */
export class FactHistory implements FactSource {
  constructor(private readonly reads: Reads) {}

  async after(seq: number, limit: number): Promise<LiveFact[]> {
    const rows = await this.reads.query<FactRow>(
      `SELECT seq, type, subject_id AS "subjectId", item_id AS "itemId", stage, state, reason, occurred_at AS "occurredAt"
       FROM event_history WHERE seq > $1 ORDER BY seq LIMIT $2`,
      [seq, limit],
    );
    return rows.map((row) => ({ ...row, seq: Number(row.seq), occurredAt: row.occurredAt.toISOString() }));
  }

  async bounds(): Promise<{ first: number; last: number }> {
    const [row] = await this.reads.query<{ first: string | null; last: string | null }>(
      'SELECT min(seq) AS first, max(seq) AS last FROM event_history',
    );
    return { first: Number(row?.first ?? 0), last: Number(row?.last ?? 0) };
  }
}
