import { topics, type Fact, type FactType, type Stage } from '@autoposter/contracts';
import { LOCKS, type Statement } from '../database/transaction';
import type { OutgoingRow } from '../outbox/messages';

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
  /** Used if no span is active. */
  traceparent?: string | null;
  /** An administrator; default `system`. */
  actor?: string;
}

export type CollectedEvent = NewEvent & { id: string; correlationId: string; traceparent: string | null };

/**
 * Transactions that hold the shared lock of event numbers. A transaction becomes visible before it releases its locks, so its events can be
 * read once it is no longer listed. Readers only read this list: a reader that requested the lock would block every commit behind it.
 */
export const COMMITS_WITH_NUMBERS = `
SELECT virtualtransaction AS id FROM pg_locks
WHERE locktype = 'advisory' AND objsubid = 1 AND classid = 0 AND objid = ${LOCKS.eventNumbers} AND granted
  AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;

/**
 * `gate` takes the shared lock first, and once, so that a sequence number is only taken under it. The time of an event is that of this
 * statement on the database clock: events of several processes have one order and one clock.
 */
const NUMBERED = `
WITH gate AS MATERIALIZED (SELECT pg_advisory_xact_lock_shared(${LOCKS.eventNumbers})),
event AS MATERIALIZED (
  SELECT nextval('event_history_numbers') AS seq, date_trunc('milliseconds', clock_timestamp()) AS at, e.* FROM gate CROSS JOIN json_to_recordset($1::json) AS e (
    id uuid, type text, "subjectId" uuid, "itemId" uuid, stage text, state text, reason text, "correlationId" uuid, actor text,
    fact jsonb)
)`;

const KEPT = `INSERT INTO event_history (seq, id, type, subject_id, item_id, stage, state, reason, correlation_id, actor, occurred_at)
  SELECT seq, id, type, "subjectId", "itemId", stage, state, reason, "correlationId", actor, at FROM event`;

const SENT = (place: string): string => `INSERT INTO outbox (id, topic, key, envelope)
SELECT id, topic, key, envelope FROM json_to_recordset(${place}::json) AS m (id uuid, topic text, key text, envelope jsonb)`;

const ONCE = 'ON CONFLICT (id) DO NOTHING';

const FACTS = `UNION ALL
SELECT id, '${topics.facts.name}', "subjectId"::text, jsonb_set(fact, '{payload,seq}', to_jsonb(seq))
  || jsonb_build_object('occurredAt', to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) FROM event`;

const TEXTS = {
  messages: `${SENT('$1')} ${ONCE}`,
  events: `${NUMBERED} ${KEPT}`,
  eventsAndMessages: `${NUMBERED}, kept AS (${KEPT}) ${SENT('$2')} ${ONCE}`,
  eventsAndFacts: `${NUMBERED}, kept AS (${KEPT}) ${SENT('$2')} ${FACTS} ${ONCE}`,
};

/** The last statement of a unit of work: writes its events and outbox messages; with `facts`, each event is also a message. */
export function commitStatement(
  events: readonly CollectedEvent[],
  messages: readonly OutgoingRow[],
  facts = false,
): { events: number; messages: number; statement: Statement | null } {
  const counts = { events: events.length, messages: messages.length + (facts ? events.length : 0) };
  const messageRows = JSON.stringify(messages.map(({ topic, key, envelope }) => ({ id: envelope.id, topic, key, envelope })));
  if (events.length === 0) return { ...counts, statement: messages.length > 0 ? { text: TEXTS.messages, values: [messageRows] } : null };
  const eventRows = JSON.stringify(
    events.map((event) => ({ ...event, actor: event.actor ?? 'system', ...(facts ? { fact: factOf(event) } : {}) })),
  );
  if (counts.messages === 0) return { ...counts, statement: { text: TEXTS.events, values: [eventRows] } };
  return { ...counts, statement: { text: facts ? TEXTS.eventsAndFacts : TEXTS.eventsAndMessages, values: [eventRows, messageRows] } };
}

/** The statement fills in `seq` and `occurredAt`. */
const factOf = (event: CollectedEvent): Omit<Fact, 'occurredAt'> => ({
  id: event.id,
  type: event.type,
  subjectId: event.subjectId,
  correlationId: event.correlationId,
  causationId: event.causationId ?? null,
  traceparent: event.traceparent,
  payload: { seq: 0, itemId: event.itemId ?? null, stage: event.stage ?? null, state: event.state ?? null, reason: event.reason ?? null },
});
