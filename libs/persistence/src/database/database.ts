import { silentLogger, type Logger } from '@autoposter/observability';
import { DataSource, type EntityManager } from 'typeorm';
import { writeLast } from '../event-history/write-last';
import { ENTITIES } from './entities';
import { listen } from './listen';
import { isOutage } from './is-outage';
import { migrate, schemaState, type SchemaState } from './migrate';
import { isStalePlan, PreparedClient } from './prepared-client';
import { SnakeNaming } from './snake-naming';
import type { SqlPort } from './sql-port';
import { KEEP_ALIVE, limitSession, limitTransaction, refusesSessionSettings, TIME_LIMITS, type TimeLimits } from './time-limits';
import { inTransaction } from './transaction';
import { UnitOfWork } from './unit-of-work';
import { Wake } from './wake';

export interface DatabaseOptions {
  url: string;
  /** Connections at most; 8 unless given. */
  poolSize?: number;
  /** Shown by the server beside each connection. */
  applicationName?: string;
  logger?: Logger;
  limits?: Partial<TimeLimits>;
}

/** Serialization failure and deadlock: the server asks for the same transaction again. */
const TRY_AGAIN = new Set(['40001', '40P01']);
const TRIES = 5;

/** Channel on which readers of the event history are woken. A hint: who misses it finds the rows at the next poll. */
const EVENTS_CHANNEL = 'autoposter_events';

/** The one way to PostgreSQL. An outage rejects calls and ends nothing: the next call after it works again. */
export class Database {
  /** Repositories outside a transaction; each call is its own. */
  readonly read: UnitOfWork;
  /** Plain SQL for libraries with tables of their own. */
  readonly sql: SqlPort;
  private readonly outboxListeners = new Set<() => void>();
  private readonly wake: Wake;

  private constructor(
    private readonly source: DataSource,
    private readonly options: DatabaseOptions,
    private readonly limits: TimeLimits,
    private readonly begin = 'BEGIN',
  ) {
    this.read = new UnitOfWork(source.manager);
    this.sql = this.portOver(source.manager);
    this.wake = new Wake(() => source.query(`NOTIFY ${EVENTS_CHANNEL}`));
  }

  /** Rejects where the server cannot be reached now. */
  static async connect(options: DatabaseOptions): Promise<Database> {
    const logger = options.logger ?? silentLogger;
    const limits = { ...TIME_LIMITS, ...options.limits };
    try {
      return new Database(await open(options, { ...limitSession(limits), query_timeout: limits.answerMs }), options, limits);
    } catch (error) {
      if (!refusesSessionSettings(error)) throw error;
    }
    logger.info({}, 'the database takes no session settings; each transaction sets its own time limits');
    return new Database(await open(options, { query_timeout: limits.answerMs }), options, limits, `BEGIN; ${limitTransaction(limits)}`);
  }

  /** Brings the schema to this version, under a lock, one transaction per step. Refuses with a `SchemaError` where the schema no longer serves this program. */
  async migrate(): Promise<{ applied: string[] }> {
    // a connection of its own: a step takes the time that it needs
    const source = await open({ ...this.options, poolSize: 1, applicationName: 'autoposter migration' }, {});
    try {
      return await migrate(source);
    } finally {
      await source.destroy();
    }
  }

  /** The version of the schema, and whether this program works on it: newer is fine as long as the schema serves this program. */
  async schemaState(): Promise<SchemaState> {
    return schemaState(this.source);
  }

  /**
   * Runs `work` in one transaction and commits it; a rejection rolls everything back. Repeated where the server reports a deadlock or
   * a serialization failure, so `work` must do nothing outside the database.
   */
  async unitOfWork<T>(work: (uow: UnitOfWork) => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        const { value, left } = await inTransaction(this.source, this.begin, async (manager) => {
          const uow = new UnitOfWork(manager);
          const result = await work(uow);
          const remains = writeLast(uow.history.take(), uow.outbox.take());
          return { result: { value: result, left: remains }, last: remains.statement };
        });
        if (left.events > 0) this.wake.soon();
        if (left.messages > 0) for (const listener of this.outboxListeners) listener();
        return value;
      } catch (error) {
        if (attempt >= TRIES || !(TRY_AGAIN.has((error as { code?: string }).code ?? '') || isStalePlan(error))) throw error;
        await new Promise((resolve) => setTimeout(resolve, Math.random() * 20 * 2 ** attempt));
      }
    }
  }

  /** Calls `listener` after each own commit that left messages in the outbox. Answers the way to stop. */
  onOutbox(listener: () => void): () => void {
    this.outboxListeners.add(listener);
    return () => this.outboxListeners.delete(listener);
  }

  /** Hears of new events, by whomever; hints only. */
  onEvents(listener: () => void): Promise<() => Promise<void>> {
    return this.sql.listen(EVENTS_CHANNEL, listener);
  }

  /** Whether a failure means that the server is away or unwilling for now, and not that the statement was wrong. */
  readonly isOutage = (error: unknown): boolean => isOutage(error);

  /** Never rejects. */
  async health(): Promise<{ ok: boolean; detail: string }> {
    try {
      const { serves, detail } = await this.schemaState();
      return serves ? { ok: true, detail: 'PostgreSQL answers.' } : { ok: false, detail };
    } catch (error) {
      return { ok: false, detail: `PostgreSQL does not answer: ${error instanceof Error ? error.message : 'unknown error'}` };
    }
  }

  async close(): Promise<void> {
    await this.wake.stop();
    if (this.source.isInitialized) await this.source.destroy();
  }

  private portOver(manager: EntityManager): SqlPort {
    const query = async <R>(text: string, params: unknown[] = []): Promise<R[]> => {
      const raw: unknown = await manager.query(text, params);
      // For UPDATE and DELETE the driver answers [rows, count].
      if (Array.isArray(raw) && raw.length === 2 && Array.isArray(raw[0]) && typeof raw[1] === 'number') return raw[0] as R[];
      return raw as R[];
    };
    return {
      query,
      transaction: (work) =>
        manager === this.source.manager
          ? inTransaction(this.source, this.begin, async (inner) => ({ result: await work(this.portOver(inner)), last: null }))
          : manager.transaction((inner) => work(this.portOver(inner))),
      listen: (channel, onNotify) =>
        listen({ url: this.options.url, channel, onNotify, logger: this.options.logger ?? silentLogger, limits: this.limits }),
    };
  }
}

/** A pool whose connections are kept alive by TCP, and cut where the server does not answer within `query_timeout`. */
function open(options: DatabaseOptions, settings: object): Promise<DataSource> {
  const logger = options.logger ?? silentLogger;
  return new DataSource({
    type: 'postgres',
    url: options.url,
    applicationName: options.applicationName ?? 'autoposter',
    entities: ENTITIES,
    namingStrategy: new SnakeNaming(),
    poolErrorHandler: (error: unknown) => logger.warn({ error }, 'a database connection was lost'),
    extra: {
      max: options.poolSize ?? 8,
      connectionTimeoutMillis: options.limits?.connectMs ?? TIME_LIMITS.connectMs,
      ...KEEP_ALIVE,
      Client: PreparedClient,
      pipeline: true,
      ...settings,
    },
  }).initialize();
}
