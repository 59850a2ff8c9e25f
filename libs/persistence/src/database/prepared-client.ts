import { Client, types, type ClientConfig, type QueryResult } from 'pg';
import { isStalePlan } from './database-errors';
import { storableValue } from './storable-value';

/** A statement is prepared from its third execution on: preparing a rare one costs more than it saves. */
const PREPARE_AFTER = 3;
/** Each name is a parsed statement in the memory of each server process. */
const MAX_NAMES = 250;
const MAX_COUNTED_TEXTS = 2000;
/** An insert of many rows has another text for each number of rows and would use up the names; no other statement has this many values. */
const MAX_VALUES = 40;

/** A server that does not close a connection within this time counts as unreachable. */
const CLOSE_TIMEOUT_MS = 2_000;

const INT8 = 20;

const seen = new Map<string, number>();
const names = new Map<string, string>();
let namesUsed = 0;

function nameOf(text: string): string | undefined {
  const name = names.get(text);
  if (name !== undefined) return name;
  const times = (seen.get(text) ?? 0) + 1;
  if (times < PREPARE_AFTER || names.size >= MAX_NAMES) {
    if (seen.has(text) || seen.size < MAX_COUNTED_TEXTS) seen.set(text, times);
    return undefined;
  }
  seen.delete(text);
  return newName(text);
}

function newName(text: string): string {
  const name = `s${(namesUsed += 1)}`;
  names.set(text, name);
  return name;
}

type Query = (text: string | object, values?: unknown, callback?: unknown) => Promise<QueryResult>;

/**
 * A connection that prepares repeated statements by naming them. After a schema change a statement is prepared again under another name;
 * outside of a transaction the caller does not notice.
 */
export class PreparedClient extends Client {
  private corked = false;
  private defaultTimeoutMs: number | false | undefined;

  constructor(config: ClientConfig) {
    super({
      ...config,
      // counts and sizes stay far below 2^53, so a number holds what PostgreSQL sends as text
      types: {
        getTypeParser: ((oid: number, format?: 'text') =>
          oid === INT8 ? Number : types.getTypeParser(oid, format)) as typeof types.getTypeParser,
      },
    });
  }

  /** As in `Client`, but prepares a text that has values, and removes characters that PostgreSQL refuses from them. */
  override query = ((text: string | object, passed?: unknown, callback?: unknown) => {
    const send = Client.prototype.query.bind(this) as unknown as Query;
    const values = Array.isArray(passed) ? passed.map(storableValue) : passed;
    this.corkUntilNextTurn();
    if (typeof text !== 'string' || !Array.isArray(values) || values.length === 0 || values.length > MAX_VALUES)
      return send(text, values, callback);
    const name = nameOf(text);
    if (name === undefined) return send(text, values, callback);
    const sent = send({ name, text, values }, callback);
    if (callback !== undefined) return sent;
    return sent.catch((error: unknown) => {
      if (!isStalePlan(error)) throw error;
      const fresh = names.get(text) === name ? newName(text) : names.get(text);
      if (this.getTransactionStatus() !== 'I') throw error;
      return send({ name: fresh, text, values });
    });
  }) as Client['query'];

  /** Sets the time after which a statement without an answer closes the connection; `null` restores the configured one. */
  setAnswerTimeout(ms: number | null): void {
    const { connectionParameters } = this as unknown as { connectionParameters: { query_timeout: number | false } };
    this.defaultTimeoutMs ??= connectionParameters.query_timeout;
    connectionParameters.query_timeout = ms ?? this.defaultTimeoutMs;
  }

  override end = ((callback?: () => void) => {
    const { stream } = (this as unknown as { connection: { stream: { destroy(): void } } }).connection;
    const timer = setTimeout(() => stream.destroy(), CLOSE_TIMEOUT_MS);
    this.once('end', () => clearTimeout(timer));
    return (Client.prototype.end as (done?: () => void) => Promise<void>).call(this, callback);
  }) as Client['end'];

  /** Sends everything that is queried in one turn of the event loop as one packet: each write is a system call. */
  private corkUntilNextTurn(): void {
    const { stream } = (this as unknown as { connection: { stream: { cork(): void; uncork(): void } } }).connection;
    if (this.corked) return;
    this.corked = true;
    stream.cork();
    setImmediate(() => {
      this.corked = false;
      stream.uncork();
    });
  }
}
