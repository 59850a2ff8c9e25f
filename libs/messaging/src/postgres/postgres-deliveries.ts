import type { ClaimedDelivery, DeliverySource } from '../claim-consumer';
import type { SqlPort } from '../event-bus.port';

/**
 * The tables of the Postgres bus; idempotent. `bus_messages` keeps a message for its topic's retention; `bus_deliveries` has one row per
 * group and unsettled message. A delivery is claimable from `due_at` on; a claim moves it to the end of the lease, so that the delivery of
 * a dead consumer becomes claimable again. There are no foreign keys: a look-up per row is expensive, topics and groups are never deleted,
 * and a message is deleted only after its last delivery.
 */
export const POSTGRES_BUS_SCHEMA = `
CREATE TABLE IF NOT EXISTS bus_topics (
  name text PRIMARY KEY,
  retention_ms bigint NOT NULL
);
CREATE TABLE IF NOT EXISTS bus_groups (
  group_name text NOT NULL,
  topic text NOT NULL REFERENCES bus_topics (name) ON DELETE CASCADE,
  PRIMARY KEY (group_name, topic)
);
CREATE TABLE IF NOT EXISTS bus_messages (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  topic text NOT NULL,
  key text NOT NULL,
  value text NOT NULL,
  published_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX IF NOT EXISTS bus_messages_by_age ON bus_messages (topic, published_at);
CREATE TABLE IF NOT EXISTS bus_deliveries (
  group_name text NOT NULL,
  topic text NOT NULL,
  message_id bigint NOT NULL,
  key text NOT NULL,
  due_at timestamptz NOT NULL DEFAULT now(),
  owner uuid,
  PRIMARY KEY (group_name, topic, message_id)
);
CREATE INDEX IF NOT EXISTS bus_deliveries_by_key ON bus_deliveries (group_name, topic, key, message_id);
CREATE INDEX IF NOT EXISTS bus_deliveries_by_message ON bus_deliveries (message_id);
`;

/**
 * A row is claimable if it is due and no earlier message of its key is unsettled. Rows that another consumer is claiming are skipped; for a
 * row claimed in between, Postgres re-evaluates `due_at` under the lock.
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

/** The deliveries of one group and topic, claimed for one consumer. All times are of the database clock. */
export class PostgresDeliveries implements DeliverySource {
  constructor(
    private readonly sql: SqlPort,
    private readonly group: string,
    private readonly topic: string,
    /** UUID of the consumer; fences deliveries that another one has claimed meanwhile. */
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
