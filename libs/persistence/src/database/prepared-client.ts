import { Client, type QueryResult } from 'pg';
import { storableValue } from './storable-value';

/** A statement gets a name when it comes this often: what is asked once is cheaper without. */
const WORTH_A_NAME = 3;
/** Names at most, and texts that are counted at most: each name is a parsed statement in each of the server's processes. */
const MOST_NAMES = 250;
const MOST_TEXTS = 2000;
/** More than any statement has whose text is always the same: a list of rows has another text at each length and would use up the names. */
const MOST_VALUES = 40;

const FAREWELL_MS = 2_000;

const seen = new Map<string, number>();
const names = new Map<string, string>();
let given = 0;

function nameOf(text: string): string | undefined {
  const name = names.get(text);
  if (name !== undefined) return name;
  const times = (seen.get(text) ?? 0) + 1;
  if (times < WORTH_A_NAME || names.size >= MOST_NAMES) {
    if (seen.has(text) || seen.size < MOST_TEXTS) seen.set(text, times);
    return undefined;
  }
  seen.delete(text);
  return rename(text);
}

function rename(text: string): string {
  const name = `s${(given += 1)}`;
  names.set(text, name);
  return name;
}

/** The schema changed under a prepared statement: the server refuses it until it is prepared anew. */
export const isStalePlan = (error: unknown): boolean => {
  const { code, message } = error as { code?: string; message?: string };
  return code === '0A000' && (message ?? '').includes('cached plan');
};

type Ask = (text: string | object, values?: unknown, callback?: unknown) => Promise<QueryResult>;

/**
 * A connection that has the server parse and plan a repeated statement once, by giving it a name. After a change of the schema a
 * statement is prepared anew under another name; outside of a transaction without the asker's notice.
 */
export class PreparedClient extends Client {
  private gathering = false;
  private usualMs: number | false | undefined;

  /** As the driver's own; a text with some values is prepared, and no value can fail of what PostgreSQL calls no text. */
  override query = ((text: string | object, passed?: unknown, callback?: unknown) => {
    const ask = Client.prototype.query.bind(this) as unknown as Ask;
    const values = Array.isArray(passed) ? passed.map(storableValue) : passed;
    this.gather();
    if (typeof text !== 'string' || !Array.isArray(values) || values.length === 0 || values.length > MOST_VALUES)
      return ask(text, values, callback);
    const name = nameOf(text);
    if (name === undefined) return ask(text, values, callback);
    const asked = ask({ name, text, values }, callback);
    if (callback !== undefined) return asked;
    return asked.catch((error: unknown) => {
      if (!isStalePlan(error)) throw error;
      const fresh = names.get(text) === name ? rename(text) : names.get(text);
      if (this.getTransactionStatus() !== 'I') throw error;
      return ask({ name: fresh, text, values });
    });
  }) as Client['query'];

  /** From now on a statement may take so long before the connection is cut; `null` for what the connection began with. */
  answerWithin(ms: number | null): void {
    const { connectionParameters } = this as unknown as { connectionParameters: { query_timeout: number | false } };
    this.usualMs ??= connectionParameters.query_timeout;
    connectionParameters.query_timeout = ms ?? this.usualMs;
  }

  /** A server that does not close within this time counts as gone. */
  override end = ((callback?: () => void) => {
    const { stream } = (this as unknown as { connection: { stream: { destroy(): void } } }).connection;
    const timer = setTimeout(() => stream.destroy(), FAREWELL_MS);
    this.once('end', () => clearTimeout(timer));
    return (Client.prototype.end as (done?: () => void) => Promise<void>).call(this, callback);
  }) as Client['end'];

  /** All that is asked until the event loop has turned leaves in one packet: each write is a call of the system. */
  private gather(): void {
    const { stream } = (this as unknown as { connection: { stream: { cork(): void; uncork(): void } } }).connection;
    if (this.gathering) return;
    this.gathering = true;
    stream.cork();
    setImmediate(() => {
      this.gathering = false;
      stream.uncork();
    });
  }
}
