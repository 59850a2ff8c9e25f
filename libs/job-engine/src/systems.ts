import { hostname } from 'node:os';
import { join, resolve } from 'node:path';
import type { Config } from '@autoposter/config';
import { KafkaBus } from '@autoposter/messaging';
import { LocalStore, MinioStore, type ObjectStore } from '@autoposter/object-store';
import type { HealthChecks, Logger, Metrics } from '@autoposter/observability';
import { Database, type StorageType } from '@autoposter/persistence';
import { repeatUntilAborted } from '@autoposter/resilience';
import { type JobBus, messageJobBus, postgresJobBus } from './job-bus';

/** Everything that a service reaches outside its process, chosen by configuration. */
export interface Systems {
  config: Config;
  database: Database;
  bus: JobBus;
  objects: ObjectStore;
  /** The API's name for the object store. */
  storageType: StorageType;
  logger: Logger;
  metrics: Metrics;
}

/** Rejects if the server is unreachable. Requests and facts are published only where Kafka has readers for them. */
export const openDatabase = (config: Config, logger: Logger, poolSize = config.database.poolSize): Promise<Database> =>
  Database.connect({
    url: config.database.url,
    poolSize,
    limits: config.database.limits,
    applicationName: `autoposter ${config.service}`,
    logger,
    publishing: { requests: config.bus.kind === 'kafka', facts: config.bus.kind === 'kafka' && config.bus.facts },
  });

export function createBus(config: Config, database: Database, logger: Logger, onStalled: (reason: string) => void): JobBus {
  if (config.bus.kind === 'postgres') return postgresJobBus(database);
  const settings = { brokers: config.bus.brokers, clientId: `autoposter-${config.service}`, replicationFactor: config.bus.replication };
  const kafka = new KafkaBus({ ...settings, minInSyncReplicas: config.bus.replication > 2 ? 2 : 1 }, onStalled, logger);
  return messageJobBus(kafka, database, logger);
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
  repeatUntilAborted(signal, {
    work: async () => database.read.workerReports.save(name, await find(), config.service),
    everyMs: DAY_MS,
    firstMs: 0,
    retryMs: RETRY_MS,
    problem: `the report ${name} could not be written`,
    logger,
  });
}
