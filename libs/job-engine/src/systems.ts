import { mkdir } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join, resolve } from 'node:path';
import type { Config } from '@autoposter/config';
import { type EventBus, KafkaBus, PostgresBus } from '@autoposter/messaging';
import { LocalStore, MinioStore, type ObjectStore } from '@autoposter/object-store';
import type { HealthChecks, Logger, Metrics } from '@autoposter/observability';
import { Database, SchemaError, type StorageType } from '@autoposter/persistence';
import { retry } from '@autoposter/resilience';

/** Everything that a service reaches outside its process, chosen by configuration. */
export interface Systems {
  config: Config;
  database: Database;
  bus: EventBus;
  objects: ObjectStore;
  /** The API's name for the object store. */
  storageType: StorageType;
  logger: Logger;
  metrics: Metrics;
}

export interface ConnectOptions {
  config: Config;
  logger: Logger;
  metrics: Metrics;
  /** Stops waiting. */
  signal: AbortSignal;
  /** The bus consumer stalled repeatedly: the process must exit. */
  onStalled: (reason: string) => void;
  /** Called while a system is unavailable, with a sentence that names it. */
  onWaiting?: (detail: string) => void;
}

const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 5000;

/** Waits without limit for the database and its schema, then creates bus and object store. Rejects only if `signal` aborts. */
export async function connectSystems(options: ConnectOptions): Promise<Systems> {
  const { config, logger, metrics, signal } = options;
  const database = await connectDatabase(options);
  const bus = createBus(config, database, logger, options.onStalled);
  signal.throwIfAborted();
  await mkdir(resolve(config.dataDir), { recursive: true });
  return {
    config,
    database,
    bus,
    objects: createObjectStore(config),
    storageType: config.objects.kind === 'minio' ? 'cdn' : 'local',
    logger,
    metrics,
  };
}

async function connectDatabase({ config, logger, signal, onWaiting }: ConnectOptions): Promise<Database> {
  const settings = {
    url: config.database.url,
    poolSize: config.database.poolSize,
    applicationName: `autoposter ${config.service}`,
    logger,
  };
  const connect = async (): Promise<Database> => {
    const database = await Database.connect(settings).catch((error: unknown) => {
      if (error instanceof SchemaError) throw error;
      throw new Error(`PostgreSQL cannot be reached: ${error instanceof Error ? error.message : 'unknown error'}`, { cause: error });
    });
    const health = await database.health();
    if (health.ok) return database;
    await database.close();
    throw new Error(health.detail);
  };
  return retry(connect, {
    signal,
    shouldRetry: (error) => !(error instanceof SchemaError),
    onRetry: (error, pauseMs) => {
      const detail = error instanceof Error ? error.message : 'unknown error';
      if (pauseMs === FIRST_PAUSE_MS || pauseMs === LONGEST_PAUSE_MS) logger.warn({ detail }, 'waiting for the database');
      onWaiting?.(detail);
    },
    firstPauseMs: FIRST_PAUSE_MS,
    longestPauseMs: LONGEST_PAUSE_MS,
  });
}

export function createBus(config: Config, database: Database, logger: Logger, onStalled: (reason: string) => void): EventBus {
  if (config.bus.kind === 'kafka') {
    const settings = { brokers: config.bus.brokers, clientId: `autoposter-${config.service}`, replicationFactor: config.bus.replication };
    return new KafkaBus({ ...settings, minInSyncReplicas: config.bus.replication > 2 ? 2 : 1 }, onStalled, logger);
  }
  return new PostgresBus(database.sql, { leaseMs: config.stage.leaseSeconds * 1000 }, logger);
}

export function createObjectStore(config: Config): ObjectStore {
  const { kind, endpoint, accessKey, secretKey, bucket, region } = config.objects;
  const folder = resolve(config.dataDir);
  if (kind === 'local') return new LocalStore({ folder: join(folder, 'objects') });
  return new MinioStore({ endpoint, accessKey, secretKey, bucket, region, scratchFolder: join(folder, 'scratch') });
}

/** Systems that readiness requires. Bus and object store may be down: work for them stays in the database. */
export const REQUIRED_SYSTEMS = ['database'] as const;

/** The health checks of every service, for `/readyz`. */
export const checksOf = ({ database, bus, objects }: Pick<Systems, 'database' | 'bus' | 'objects'>): HealthChecks => ({
  database: () => database.health(),
  bus: () => bus.health(),
  objects: () => objects.health(),
});

/** The name under which this process holds leases. */
export const processName = (service: string): string => `${service}@${hostname()}/${process.pid}`;

const DAY_MS = 86_400_000;
const RETRY_MS = 60_000;

/**
 * Stores the result of `find` as the report `name`, now and daily until `signal`; the gateway shows it with its age. A failed report is
 * retried after a minute.
 */
export function reportDaily({ database, config, logger }: Systems, name: string, find: () => Promise<unknown>, signal: AbortSignal): void {
  const report = async (): Promise<void> => {
    let pauseMs = DAY_MS;
    try {
      await database.read.workerReports.save(name, await find(), config.service);
    } catch (error) {
      logger.warn({ error, report: name }, 'a report could not be written');
      pauseMs = RETRY_MS;
    }
    if (signal.aborted) return;
    const timer = setTimeout(() => void report(), pauseMs);
    signal.addEventListener('abort', () => clearTimeout(timer), { once: true });
  };
  void report();
}
