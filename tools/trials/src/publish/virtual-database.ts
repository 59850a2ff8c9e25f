import type { Stage } from '@autoposter/contracts';
import { Database, type UnitOfWork } from '@autoposter/persistence';
import type { Client, Pool } from 'pg';
import { startEmbeddedPostgres } from '@autoposter/testkit';
import type { Faults } from '../simulation/faults';
import type { SimulatedProcess, World } from '../simulation/virtual-time';

/**
 * `now()` and `clock_timestamp()` of the product's statements, column defaults and triggers resolve to these functions, because the search
 * path names `pg_catalog` last. All connections of the pool are one, so that the setting is the clock of the database.
 */
const CLOCK = ['now', 'clock_timestamp'].map(
  (name) =>
    `CREATE FUNCTION public.${name}() RETURNS timestamptz LANGUAGE sql STABLE AS 'SELECT current_setting(''virtual.now'')::timestamptz'`,
);

/** Of the clock of the database: setting it costs a request. */
const RESOLUTION_MS = 500;

const TABLES = `content_items, queue_items, queue_item_counts, publish_attempts, stage_jobs, settings, leases, event_history, audit_log,
  worker_reports, outbox`;

/** A real PostgreSQL with the product's schema and the clock of the simulated world. */
export class VirtualServer {
  /** Stages of which the last transaction requested jobs. */
  readonly requested = new Set<Stage>();
  private shownMs = 0;
  /** Settings as JSON by name, until one is written. */
  private readonly settings = new Map<string, string>();
  /** The only connection. */
  private client: Client | null = null;

  private constructor(
    readonly database: Database,
    private readonly stopServer: () => Promise<void>,
  ) {
    const { source, notifications } = internalsOf(database);
    source.driver.master.on('acquire', (client) => void (this.client = client as unknown as Client));
    this.answerLocally(database.read);
    // the simulated processes are told by `requested`
    notifications.request = () => undefined;
    for (const stage of ['post', 'reconcile'] as const) database.onRequests(stage, () => this.requested.add(stage));
  }

  static async start(): Promise<VirtualServer> {
    // the tables are so small that planning a statement costs more than any plan
    const settings = ['synchronous_commit=off', 'autovacuum=off', 'jit=off', 'plan_cache_mode=force_generic_plan'];
    // a socket in the data folder, because a trial over TCP costs an eighth more
    const hasSockets = process.platform !== 'win32';
    const server = await startEmbeddedPostgres({ settings: [...settings, ...(hasSockets ? ['unix_socket_directories=.'] : [])] });
    const prepare = await Database.connect({ url: server.url, poolSize: 1 });
    await prepare.sql.query('CREATE DATABASE virtual');
    await prepare.sql.query('ALTER DATABASE virtual SET search_path = public, pg_catalog');
    await prepare.sql.query(`ALTER DATABASE virtual SET virtual.now = '2026-01-01T00:00:00Z'`);
    const [shown] = await prepare.sql.query<{ data_directory: string }>('SHOW data_directory');
    await prepare.close();
    const url = new URL(server.url);
    url.pathname = '/virtual';
    if (hasSockets) url.searchParams.set('host', shown!.data_directory);
    const database = await Database.connect({ url: url.toString(), poolSize: 1 });
    for (const statement of CLOCK) await database.sql.query(statement);
    await database.migrate();
    const virtual = new VirtualServer(database, async () => {
      await database.close();
      await server.stop();
    });
    // a connection that is opened during an episode would take random numbers of its seed
    await internalsOf(database).stopListening;
    return virtual;
  }

  stop(): Promise<void> {
    return this.stopServer();
  }

  /** An empty database for the next world. */
  async clear(): Promise<void> {
    this.shownMs = 0;
    this.settings.clear();
    await this.database.sql.transaction(async (tx) => {
      // provenance refuses to be emptied
      await tx.query('SET LOCAL session_replication_role = replica');
      await tx.query(`TRUNCATE ${TABLES} CASCADE`);
      await tx.query(`DELETE FROM instagram_accounts WHERE source = 'connected'`);
    });
  }

  /** Runs `work` on the database at the present time of the world, which waits for it. */
  at<T>(world: World, work: (database: Database) => Promise<T>): Promise<T> {
    return world.hold(async () => {
      const nowMs = world.nowMs - (world.nowMs % RESOLUTION_MS);
      if (this.shownMs !== nowMs) {
        this.shownMs = nowMs;
        await this.showTime(new Date(nowMs).toISOString());
      }
      return work(this.database);
    });
  }

  /** One transaction at the present time of the world. */
  async unitOfWork<T>(work: (uow: UnitOfWork) => Promise<T>): Promise<T> {
    this.requested.clear();
    try {
      return await this.database.unitOfWork((uow) => {
        this.answerLocally(uow);
        return work(uow);
      });
    } catch (error) {
      // it may have read settings that were never committed
      this.settings.clear();
      throw error;
    }
  }

  /** Sent together with the statement that follows, without a round trip of its own. */
  private async showTime(now: string): Promise<void> {
    const text = `SELECT set_config('virtual.now', $1, false)`;
    if (this.client === null) await this.database.sql.query(text, [now]);
    else this.client.query(text, [now]).catch(() => undefined);
  }

  /** Every fifth statement reads the clock or a setting. As transactions run one after the other, their answers are known here. */
  private answerLocally(uow: UnitOfWork): void {
    uow.now = () => Promise.resolve(new Date(this.shownMs));
    const { settings } = uow;
    const { get, set, add } = settings;
    settings.get = async <T>(name: string): Promise<T | null> => {
      const known = this.settings.get(name);
      if (known !== undefined) return JSON.parse(known) as T | null;
      const value = await get.call(settings, name);
      this.settings.set(name, JSON.stringify(value));
      return value as T | null;
    };
    settings.set = (name, ...rest) => {
      this.settings.delete(name);
      return set.call(settings, name, ...rest);
    };
    settings.add = (name, ...rest) => {
      this.settings.delete(name);
      return add.call(settings, name, ...rest);
    };
  }
}

interface Internals {
  source: { driver: { master: Pool } };
  notifications: { request(): void };
  /** Settled once the database listens for requests of jobs. */
  stopListening: Promise<unknown> | null;
}
const internalsOf = (database: Database): Internals => database as unknown as Internals;

interface DatabaseOptions {
  /** A commit of this process requested jobs of these stages. */
  onRequest(stages: readonly Stage[]): void;
  /** What a planted bug changes in the repositories of a transaction. */
  spoil?(uow: UnitOfWork): void;
}

/** Parts of a unit of work that make no request. */
const LOCAL: readonly (string | symbol)[] = ['publishing', 'manager', 'outbox'];

const connectionLost = (): Error => Object.assign(new Error('the connection was lost'), { code: 'ECONNRESET' });

/**
 * The database as one simulated process reaches it. Transactions run one after the other; before and after each the process may be killed or
 * frozen, and the request or the answer may be lost. Interleaved statements are the subject of the integration tests.
 */
export class VirtualDatabase {
  readonly publishing = { requests: false, facts: false };
  readonly read: UnitOfWork;
  /** When a request or an answer was last lost. */
  troubledAtMs = -Infinity;
  private readonly listeners = new Map<() => void, Stage>();

  constructor(
    private readonly server: VirtualServer,
    private readonly process: SimulatedProcess,
    private readonly faults: Faults,
    private readonly options: DatabaseOptions,
  ) {
    this.read = this.remote(server.database.read);
  }

  get database(): Database {
    return this as unknown as Database;
  }

  isOutage(error: unknown): boolean {
    return this.server.database.isOutage(error);
  }

  unitOfWork<T>(work: (uow: UnitOfWork) => Promise<T>): Promise<T> {
    return this.send(async () => {
      const result = await this.server.unitOfWork((uow) => {
        this.options.spoil?.(uow);
        return work(uow);
      });
      if (this.server.requested.size > 0) this.options.onRequest([...this.server.requested]);
      return result;
    });
  }

  onOutbox(): () => void {
    return () => undefined;
  }

  onRequests(stage: Stage, listener: () => void): () => void {
    this.listeners.set(listener, stage);
    return () => this.listeners.delete(listener);
  }

  wake(stages: readonly Stage[]): void {
    for (const [listener, wanted] of this.listeners) if (stages.includes(wanted)) listener();
  }

  /** The repositories outside of a transaction: each call is one request. */
  private remote(unit: UnitOfWork): UnitOfWork {
    const { send } = this;
    const remoteCalls = <T extends object>(target: T, find: (read: UnitOfWork) => T): T =>
      new Proxy(target, {
        get: (known, name) => {
          const value = Reflect.get(known, name) as unknown;
          if (typeof value === 'function')
            return (...args: unknown[]) =>
              send((database) =>
                (Reflect.get(find(database.read), name) as (...given: unknown[]) => Promise<unknown>).apply(find(database.read), args),
              );
          return value;
        },
      });
    // an object of its own, because a proxy must return the repositories of its target as they are
    return new Proxy({} as UnitOfWork, {
      get: (_own, name) => {
        const value = Reflect.get(unit, name) as unknown;
        if (typeof value === 'object' && value !== null && !LOCAL.includes(name))
          return remoteCalls(value, (read) => Reflect.get(read, name) as object);
        return typeof value === 'function'
          ? Reflect.get(
              remoteCalls(unit, (read) => read),
              name,
            )
          : value;
      },
    });
  }

  private readonly send = <T>(work: (database: Database) => Promise<T>): Promise<T> => {
    const { process, faults, server } = this;
    const { world } = process;
    return new Promise<T>((resolve, reject) => {
      faults.mayKill(process);
      if (!process.isAlive) return;
      const isLost = faults.isCut(process) || faults.losesRequest();
      const fail = (): void => {
        this.troubledAtMs = world.elapsedMs;
        process.enter(() => reject(connectionLost()));
      };
      const answer = (deliver: () => void): void => {
        const losesAnswer = faults.losesAnswer();
        world.after(faults.latencyMs(), () => {
          faults.mayKill(process);
          faults.mayFreeze(process);
          if (losesAnswer) fail();
          else process.enter(deliver);
        });
      };
      world.after(faults.latencyMs(), () => {
        if (isLost) return fail();
        world.current = process;
        server.at(world, work).then(
          (value) => answer(() => resolve(value)),
          (error: unknown) => answer(() => reject(error as Error)),
        );
      });
    });
  };
}
