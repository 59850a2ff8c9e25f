import type { ClaimedDelivery, DeliverySource } from '../claim-consumer';
import type { SqlPort } from '../sql.port';

/**
 * A row may be claimed when it is due and no earlier message of its key is unsettled. Rows another consumer is just claiming are
 * skipped; a row that was claimed in between is looked at again by Postgres under the lock and fails the `due_at` test.
 */
const CLAIM = `
WITH head AS (
  SELECT d.message_id FROM bus_deliveries d
  WHERE d.group_name = $1 AND d.topic = $2 AND d.due_at <= now()
    AND NOT EXISTS (
      SELECT 1 FROM bus_deliveries e
      WHERE e.group_name = $1 AND e.topic = $2 AND e.key = d.key AND e.message_id < d.message_id)
  ORDER BY d.message_id
  LIMIT $3
  FOR UPDATE OF d SKIP LOCKED
), claimed AS (
  UPDATE bus_deliveries d SET owner = $4, due_at = now() + $5 * interval '1 millisecond'
  FROM head WHERE d.group_name = $1 AND d.topic = $2 AND d.message_id = head.message_id
  RETURNING d.message_id, d.key
)
SELECT c.message_id::text AS id, c.key, m.value AS text
FROM claimed c JOIN bus_messages m ON m.id = c.message_id
ORDER BY c.message_id`;

const SETTLE = `
DELETE FROM bus_deliveries
WHERE group_name = $1 AND topic = $2 AND owner = $3 AND message_id = ANY ($4::bigint[])`;

const POSTPONE = `
UPDATE bus_deliveries SET owner = NULL, due_at = now() + $5 * interval '1 millisecond'
WHERE group_name = $1 AND topic = $2 AND owner = $3 AND message_id = ANY ($4::bigint[])`;

const RENEW = `
UPDATE bus_deliveries SET due_at = now() + $5 * interval '1 millisecond'
WHERE group_name = $1 AND topic = $2 AND owner = $3 AND message_id = ANY ($4::bigint[])
RETURNING message_id::text AS id`;

/** The deliveries of one group and topic, claimed for one consumer. Every time is the database's. */
export class PostgresDeliveries implements DeliverySource {
  constructor(
    private readonly sql: SqlPort,
    private readonly group: string,
    private readonly topic: string,
    /** UUID of the consumer; fences what another one has claimed meanwhile. */
    private readonly owner: string,
    private readonly leaseMs: number,
  ) {}

  claim(limit: number): Promise<ClaimedDelivery[]> {
    return this.sql.query<ClaimedDelivery>(CLAIM, [this.group, this.topic, limit, this.owner, this.leaseMs]);
  }

  async settle(ids: readonly string[]): Promise<void> {
    await this.sql.query(SETTLE, [this.group, this.topic, this.owner, ids]);
  }

  async postpone(ids: readonly string[], delayMs: number): Promise<void> {
    await this.sql.query(POSTPONE, [this.group, this.topic, this.owner, ids, delayMs]);
  }

  async renew(ids: readonly string[]): Promise<readonly string[]> {
    const rows = await this.sql.query<{ id: string }>(RENEW, [this.group, this.topic, this.owner, ids, this.leaseMs]);
    return rows.map((row) => row.id);
  }
}
