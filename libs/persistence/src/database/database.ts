import { randomUUID } from 'node:crypto';
import { type Stage, STAGES } from '@autoposter/contracts';
import { silentLogger, type Logger } from '@autoposter/observability';
import { DataSource, type EntityManager } from 'typeorm';
import { commitStatement } from '../event-history/commit-statement';
import { SnakeNaming } from './columns';
import type { Publishing } from '../outbox/outbox.repository';
import { isConflict, isOutage, isStalePlan, refusesSessionSettings } from './database-errors';
import { deferWrites } from './deferred-writes';
import { migrate, schemaState, type SchemaState } from './migrate';
import { listen, NotificationThrottle } from './notifications';
import { PreparedClient } from './prepared-client';
import { sendStatement } from './sql-repository';
import { completeLimits, KEEP_ALIVE, limitSession, limitTransaction, TIME_LIMITS, type TimeLimits } from './time-limits';
import { inTransaction } from './transaction';
import { ENTITIES, UnitOfWork } from './unit-of-work';

interface DatabaseOptions {
  url: string;
  /** Maximum number of connections; default 8. */
  poolSize?: number;
  /** Shown in `pg_stat_activity`. */
  applicationName?: string;
  logger?: Logger;
  limits?: Partial<TimeLimits>;
  /** What its commits write to the outbox; default: nothing. */
  publishing?: Publishing;
}

/** Plain SQL for libraries with tables of their own in the same database. Parameters are `$1`, `$2`, … */
interface SqlPort {
  query<R>(sql: string, params?: unknown[]): Promise<R[]>;
  /** Runs `work` in one transaction; a rejection rolls it back. */
  transaction<T>(work: (tx: SqlPort) => Promise<T>): Promise<T>;
  /**
   * Listens to a channel on its own connection, which reconnects automatically; messages during an outage are lost. Resolves with a
   * function that stops it.
   */
  listen(channel: string, onNotify: (payload: string) => void): Promise<() => Promise<void>>;
}

interface UnitOfWorkOptions {
  /** Instead of the limits of every transaction. */
  limits?: Pick<TimeLimits, 'statementMs' | 'lockMs'>;
  /** Moves of items are sent together and count as done until then; if one is refused, the whole unit of work is. */
  defersMoves?: boolean;
}

const MAX_ATTEMPTS = 5;

/** Wakes readers of the event history. Only a hint: a reader that misses it finds the rows at its next poll. */
const EVENTS_CHANNEL = 'autoposter_events';
/** Wakes workers of the named stages in other processes; also only a hint. */
const JOBS_CHANNEL = 'autoposter_jobs';
const NO_PUBLISHING: Publishing = { requests: false, facts: false };

/** The only access to PostgreSQL. During an outage calls reject; afterwards the next call works again. */
export class Database {
  /** Repositories outside a transaction: each call commits separately. */
  readonly read: UnitOfWork;
  readonly sql: SqlPort;
  private readonly outboxListeners = new Set<() => void>();
  private readonly jobListeners = new Set<(stages: ReadonlySet<string>) => void>();
  private readonly notifications: NotificationThrottle;
  /** First word of its notifications of jobs, to ignore them: listeners of this process are called directly. */
  private readonly sender = randomUUID();
  private stopListening: Promise<() => Promise<void>> | null = null;

  private constructor(
    private readonly source: DataSource,
    private readonly options: DatabaseOptions,
    private readonly limits: TimeLimits,
    private readonly begin = 'BEGIN',
  ) {
    this.read = this.unitOver(source.manager);
    this.sql = this.portOver(source.manager);
    this.notifications = new NotificationThrottle((wanted) =>
      source.query('SELECT pg_notify(channel, payload) FROM unnest($1::text[], $2::text[]) AS wanted (channel, payload)', [
        [...wanted.keys()],
        [...wanted.values()].map((words) => [this.sender, ...words].join(' ')),
      ]),
    );
  }

  /** Rejects if the server is unreachable. */
  static async connect(options: DatabaseOptions): Promise<Database> {
    const logger = options.logger ?? silentLogger;
    const limits = completeLimits(options.limits);
    try {
      return new Database(await open(options, { ...limitSession(limits), query_timeout: limits.answerMs }), options, limits);
    } catch (error) {
      if (!refusesSessionSettings(error)) throw error;
    }
    logger.info({}, 'the database accepts no session settings; each transaction sets its own time limits');
    return new Database(await open(options, { query_timeout: limits.answerMs }), options, limits, `BEGIN; ${limitTransaction(limits)}`);
  }

  /** Migrates the schema to this version, under a lock, one transaction per migration. Throws `SchemaError` if the schema no longer serves this program. */
  async migrate(): Promise<{ applied: string[] }> {
    // a separate connection without time limits
    const source = await open({ ...this.options, poolSize: 1, applicationName: 'autoposter migration' }, {});
    try {
      return await migrate(source);
    } finally {
      await source.destroy();
    }
  }

  /** The version of the schema, and whether this program works on it; a newer schema may still serve it. */
  async schemaState(): Promise<SchemaState> {
    return schemaState(this.source);
  }

  /**
   * Runs `work` in one transaction and commits it; a rejection rolls everything back. Retried after a deadlock or a serialization failure,
   * so `work` must have no effects outside the database.
   */
  async unitOfWork<T>(work: (uow: UnitOfWork) => Promise<T>, { limits, defersMoves = false }: UnitOfWorkOptions = {}): Promise<T> {
    const begin = limits === undefined ? this.begin : `${this.begin}; ${limitTransaction(limits)}`;
    for (let attempt = 1; ; attempt += 1) {
      try {
        const { value, written } = await inTransaction(this.source, begin, async (manager) => {
          const deferred = deferWrites(manager, defersMoves);
          const uow = this.unitOver(manager);
          const result = await work(uow);
          await deferred.flush();
          const { messages, requested } = uow.outbox.take();
          const commit = commitStatement(uow.history.take(), messages, uow.publishing.facts);
          return { result: { value: result, written: { ...commit, requested } }, last: commit.statement };
        });
        if (written.events > 0) this.notifications.request(EVENTS_CHANNEL);
        if (written.messages > 0) for (const listener of this.outboxListeners) listener();
        if (written.requested.size > 0) {
          this.wakeWorkers(written.requested);
          // where requests are published, their messages wake the other processes
          if (!this.publishing.requests) this.notifications.request(JOBS_CHANNEL, written.requested);
        }
        return value;
      } catch (error) {
        if (attempt >= MAX_ATTEMPTS || !(isConflict(error) || isStalePlan(error))) throw error;
        await new Promise((resolve) => setTimeout(resolve, Math.random() * 20 * 2 ** attempt));
      }
    }
  }

  /** Calls `listener` after each commit of this process that wrote messages to the outbox. Returns a function that stops it. */
  onOutbox(listener: () => void): () => void {
    this.outboxListeners.add(listener);
    return () => this.outboxListeners.delete(listener);
  }

  /** Calls `listener` after commits of any process that wrote events. Only a hint: calls may be missing. */
  onEvents(listener: () => void): Promise<() => Promise<void>> {
    return this.sql.listen(EVENTS_CHANNEL, listener);
  }

  /** Calls `listener` after commits of any process that requested jobs of the stage. Only a hint: calls may be missing. Returns a function that stops it. */
  onRequests(stage: Stage, listener: () => void): () => void {
    const call = (stages: ReadonlySet<string>): void => void (stages.has(stage) && listener());
    this.jobListeners.add(call);
    this.stopListening ??= this.listenForJobs();
    return () => this.jobListeners.delete(call);
  }

  /** Whether an error means that the server is unavailable, and not that the statement was wrong. */
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
    await this.notifications.stop();
    await (await this.stopListening)?.().catch(() => undefined);
    if (this.source.isInitialized) await this.source.destroy();
  }

  get publishing(): Publishing {
    return this.options.publishing ?? NO_PUBLISHING;
  }

  private unitOver(manager: EntityManager): UnitOfWork {
    return new UnitOfWork(manager, this.publishing);
  }

  private wakeWorkers(stages: ReadonlySet<string>): void {
    for (const listener of this.jobListeners) listener(stages);
  }

  private listenForJobs(): Promise<() => Promise<void>> {
    return this.sql.listen(JOBS_CHANNEL, (payload) => {
      const [sender, ...stages] = payload.split(' ');
      // after a reconnection the payload is empty: anything may have been missed
      if (sender !== this.sender) this.wakeWorkers(new Set(payload === '' ? STAGES : stages));
    });
  }

  private portOver(manager: EntityManager): SqlPort {
    return {
      query: async <R>(text: string, params: unknown[] = []) => (await sendStatement<R>(manager, text, params)).rows,
      transaction: (work) =>
        manager === this.source.manager
          ? inTransaction(this.source, this.begin, async (inner) => ({ result: await work(this.portOver(inner)), last: null }))
          : manager.transaction((inner) => work(this.portOver(inner))),
      listen: (channel, onNotify) =>
        listen({ url: this.options.url, channel, onNotify, logger: this.options.logger ?? silentLogger, limits: this.limits }),
    };
  }
}

/** A pool whose connections use TCP keep-alive and close if the server does not answer within `query_timeout`. */
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
