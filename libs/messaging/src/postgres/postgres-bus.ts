import { randomUUID } from 'node:crypto';
import type { Topic } from '@autoposter/contracts';
import { busClosed, busUnavailable, undeclaredTopic, errorText } from '../bus-failures';
import { ClaimConsumer, type ClaimSettings } from '../claim-consumer';
import {
  type BusLogger,
  type EventBus,
  type GroupOfTopic,
  type OutgoingMessage,
  SILENT,
  type SqlPort,
  type SubscribeOptions,
  type Subscription,
} from '../event-bus.port';
import { PostgresDeliveries } from './postgres-deliveries';

export interface PostgresBusSettings extends ClaimSettings {
  /** Window in which wake-ups for other processes are batched into one NOTIFY. */
  notifyMs: number;
  /** Interval of the removal of messages past their retention. */
  sweepMs: number;
}

const SETTINGS: PostgresBusSettings = {
  maxInFlight: 100,
  pollMs: 1_000,
  leaseMs: 30_000,
  redeliverMs: 2_000,
  notifyMs: 20,
  sweepMs: 60_000,
};

const CHANNEL = 'autoposter_bus';

/** Shared by publishers, exclusive for the registration of a group, so that a group misses no message published meanwhile. */
const PUBLISH_LOCK = `SELECT pg_advisory_xact_lock_shared(hashtextextended('autoposter_bus_groups', 0))`;
const REGISTER_LOCK = `SELECT pg_advisory_xact_lock(hashtextextended('autoposter_bus_groups', 0))`;

/** Returns the number of accepted messages; those of undeclared topics are not accepted. */
const PUBLISH = `
WITH published AS (
  INSERT INTO bus_messages (topic, key, value)
  SELECT one.topic, one.key, one.value
  FROM unnest($1::text[], $2::text[], $3::text[]) WITH ORDINALITY AS one (topic, key, value, position)
  WHERE EXISTS (SELECT 1 FROM bus_topics t WHERE t.name = one.topic)
  ORDER BY position
  RETURNING id, topic, key
), delivered AS (
  INSERT INTO bus_deliveries (group_name, topic, message_id, key)
  SELECT g.group_name, p.topic, p.id, p.key FROM published p JOIN bus_groups g ON g.topic = p.topic
)
SELECT count(*)::int AS taken FROM published`;

const REGISTER = `
WITH fresh AS (
  INSERT INTO bus_groups (group_name, topic) VALUES ($1, $2) ON CONFLICT DO NOTHING RETURNING group_name, topic
)
INSERT INTO bus_deliveries (group_name, topic, message_id, key)
SELECT f.group_name, f.topic, m.id, m.key FROM fresh f JOIN bus_messages m ON m.topic = f.topic`;

/** Messages per transaction of a sweep, which blocks the registration of groups for milliseconds. */
const SWEEP_BATCH = 5000;
/** Time limit of one sweep; the next one continues. */
const LONGEST_SWEEP_MS = 20_000;

/** Unsettled messages stay, however old. Concurrent sweeps share the work. */
const SWEEP = `
WITH removed AS (
  DELETE FROM bus_messages WHERE id IN (
    SELECT m.id FROM bus_messages m JOIN bus_topics t ON t.name = m.topic
    WHERE m.published_at < now() - t.retention_ms * interval '1 millisecond'
      AND NOT EXISTS (SELECT 1 FROM bus_deliveries d WHERE d.message_id = m.id)
    LIMIT ${SWEEP_BATCH} FOR UPDATE OF m SKIP LOCKED)
  RETURNING 1
)
SELECT count(*)::int AS count FROM removed`;

/**
 * The event bus on the product's own database, without a broker. Its tables are `POSTGRES_BUS_SCHEMA`. A message of a dead consumer is
 * redelivered when its lease expires by the database clock.
 */
export class PostgresBus implements EventBus {
  private readonly settings: PostgresBusSettings;
  private readonly consumers = new Map<ClaimConsumer, string>();
  private readonly pendingNotifications = new Set<string>();
  /** First word of its notifications, to ignore them: its own consumers are woken directly. */
  private readonly sender = randomUUID();
  private notifyTimer: NodeJS.Timeout | null = null;
  private sweepTimer: NodeJS.Timeout | null = null;
  private stopListening: Promise<(() => Promise<void>) | null> | null = null;
  private closed = false;

  constructor(
    private readonly sql: SqlPort,
    settings: Partial<PostgresBusSettings> = {},
    private readonly logger: BusLogger = SILENT,
  ) {
    this.settings = { ...SETTINGS, ...settings };
  }

  async ensureTopics(topics: readonly Topic[], groups: readonly GroupOfTopic[]): Promise<void> {
    this.assertOpen();
    for (const { name, retentionMs } of topics)
      await this.sql.query('INSERT INTO bus_topics (name, retention_ms) VALUES ($1, $2) ON CONFLICT DO NOTHING', [name, retentionMs]);
    for (const { group, topic } of groups) await this.register(group, topic);
  }

  async publish(messages: readonly OutgoingMessage[]): Promise<void> {
    this.assertOpen();
    if (messages.length === 0) return;
    const topics = messages.map((one) => one.topic);
    try {
      await this.sql.transaction(async (tx) => {
        await tx.query(PUBLISH_LOCK);
        const values = messages.map((one) => JSON.stringify(one.value));
        const [row] = await tx.query<{ taken: number }>(PUBLISH, [topics, messages.map((one) => one.key), values]);
        if (row?.taken !== messages.length) throw new Error('a message was for a topic that is not declared');
      });
    } catch (error) {
      throw (await this.missingAmong(topics)) ?? busUnavailable('publish', error);
    }
    for (const topic of topics) this.notifySoon(topic);
  }

  async subscribe(options: SubscribeOptions): Promise<Subscription> {
    this.assertOpen();
    await this.register(options.group, options.topic);
    const source = new PostgresDeliveries(this.sql, options.group, options.topic, randomUUID(), this.settings.leaseMs);
    const consumer = new ClaimConsumer(source, options, this.settings, this.logger);
    this.consumers.set(consumer, options.topic);
    this.stopListening ??= this.listen();
    this.sweepTimer ??= setInterval(() => void this.sweep(), this.settings.sweepMs).unref();
    return {
      pause: () => consumer.pause(),
      resume: () => consumer.resume(),
      stallRestarts: consumer.stallRestarts,
      drain: async (deadlineMs) => {
        await consumer.drain(deadlineMs);
        if (this.consumers.delete(consumer)) this.notifySoon(options.topic);
      },
    };
  }

  async lag(group: string, topic: string): Promise<number> {
    const [row] = await this.sql.query<{ lag: number }>(
      'SELECT count(*)::int AS lag FROM bus_deliveries WHERE group_name = $1 AND topic = $2',
      [group, topic],
    );
    return Number(row?.lag ?? 0);
  }

  async health(): Promise<{ ok: boolean; detail: string }> {
    try {
      await this.sql.query('SELECT 1 FROM bus_topics LIMIT 1');
      return { ok: !this.closed, detail: this.closed ? 'closed' : 'Postgres answers' };
    } catch (error) {
      return { ok: false, detail: errorText(error) };
    }
  }

  /** Removes settled messages past their topic's retention. Runs periodically while a subscription exists. */
  async sweep(): Promise<void> {
    const began = performance.now();
    try {
      while ((await this.sweepBatch()) >= SWEEP_BATCH) if (this.closed || performance.now() - began > LONGEST_SWEEP_MS) return;
    } catch (error) {
      this.logger.warn({ error: errorText(error) }, 'could not remove old messages');
    }
  }

  async close(): Promise<void> {
    if (this.closed) return;
    this.closed = true;
    if (this.sweepTimer) clearInterval(this.sweepTimer);
    await Promise.all([...this.consumers.keys()].map((consumer) => consumer.drain(0)));
    for (const topic of this.consumers.values()) this.pendingNotifications.add(topic);
    this.consumers.clear();
    if (this.notifyTimer) clearTimeout(this.notifyTimer);
    await this.notify();
    await (await this.stopListening)?.().catch(() => undefined);
  }

  private sweepBatch(): Promise<number> {
    return this.sql.transaction(async (tx) => {
      // a group that registers meanwhile must find the messages that it is given
      await tx.query(PUBLISH_LOCK);
      const [removed] = await tx.query<{ count: number }>(SWEEP);
      return removed?.count ?? 0;
    });
  }

  private async register(group: string, topic: string): Promise<void> {
    try {
      await this.sql.transaction(async (tx) => {
        await tx.query(REGISTER_LOCK);
        await tx.query(REGISTER, [group, topic]);
      });
    } catch (error) {
      throw (await this.missingAmong([topic])) ?? busUnavailable('register a consumer group', error);
    }
  }

  private async missingAmong(topics: readonly string[]): Promise<Error | null> {
    try {
      const rows = await this.sql.query<{ name: string }>('SELECT name FROM bus_topics WHERE name = ANY ($1::text[])', [topics]);
      const declared = new Set(rows.map((row) => row.name));
      const missing = topics.find((topic) => !declared.has(topic));
      return missing === undefined ? null : undeclaredTopic(missing);
    } catch {
      return null;
    }
  }

  private async listen(): Promise<(() => Promise<void>) | null> {
    try {
      return await this.sql.listen(CHANNEL, (payload) => {
        const [sender, ...topics] = payload.split(' ');
        if (sender !== this.sender) this.wake(topics);
      });
    } catch (error) {
      this.logger.warn({ error: errorText(error) }, 'no notifications from Postgres; messages are found by polling');
      return null;
    }
  }

  private wake(topics: readonly string[]): void {
    for (const [consumer, topic] of this.consumers) if (topics.includes(topic)) consumer.wake();
  }

  /** The commit of a NOTIFY takes a database-wide lock, so it is sent rarely and in its own transaction. */
  private notifySoon(topic: string): void {
    this.pendingNotifications.add(topic);
    this.wake([topic]);
    if (this.closed) return;
    this.notifyTimer ??= setTimeout(() => {
      this.notifyTimer = null;
      void this.notify();
    }, this.settings.notifyMs).unref();
  }

  private async notify(): Promise<void> {
    if (this.pendingNotifications.size === 0) return;
    const payload = [this.sender, ...this.pendingNotifications].join(' ');
    this.pendingNotifications.clear();
    try {
      await this.sql.query('SELECT pg_notify($1, $2)', [CHANNEL, payload]);
    } catch {
      // only a hint: every consumer polls
    }
  }

  private assertOpen(): void {
    if (this.closed) throw busClosed();
  }
}
