import type { Config } from '@autoposter/config';
import { kubernetesApi, PodLogs } from '@autoposter/cluster';
import { LIMITS } from '@autoposter/contracts';
import { SETTING } from '@autoposter/domain';
import type { Health, Logger, Metrics } from '@autoposter/observability';
import { type Database, SchemaError } from '@autoposter/persistence';
import { checksOf, createBus, createObjectStore, openDatabase } from '@autoposter/job-engine';
import { retry } from '@autoposter/resilience';
import { unseenFailures } from '../failures/failures.service';
import { FileLogs } from '../logs/file-logs';
import { NoLogs, type LogSource, PodLogSource } from '../logs/log-source';
import type { GatewaySettings } from './settings';
import type { Systems } from './systems';

const SERVER_PODS = 'app.kubernetes.io/component=gateway';
const CONNECT_RETRY = { firstPauseMs: 2_000, longestPauseMs: 2_000 };

interface OpenSystems {
  systems: Systems;
  close(): Promise<void>;
}

/**
 * Opens all external systems: waits for the database and migrates its schema; event bus and object store may become available later.
 * `signal` ends the wait.
 */
export async function openSystems(
  config: Config,
  settings: GatewaySettings,
  { logger, metrics, health }: { logger: Logger; metrics: Metrics; health: Health },
  signal: AbortSignal,
): Promise<OpenSystems> {
  const database = await connect(config, logger, signal);
  const bus = createBus(config, database, logger, (reason) => logger.error({ reason }, 'the event bus has stalled'));
  const objects = createObjectStore(config);
  registerGauges(metrics, database);
  const closing = new AbortController();
  const preparing = retry(() => bus.prepare(), {
    ...CONNECT_RETRY,
    signal: closing.signal,
    onRetry: (error) => logger.warn({ err: error }, 'the event bus is not available yet'),
  }).then(
    () => bus.start(),
    () => undefined,
  );
  health.add(checksOf({ database, bus, objects }));
  return {
    systems: { settings, database, objects, bus, logger, logs: logsOf(settings, database), health },
    close: async () => {
      closing.abort();
      await preparing;
      await bus.close();
      await database.close();
    },
  };
}

/** Retries until the database is reachable; a schema that is too new for this program throws. */
const connect = (config: Config, logger: Logger, signal: AbortSignal): Promise<Database> =>
  retry(
    async () => {
      const database = await openDatabase(config, logger);
      try {
        await database.migrate();
        return database;
      } catch (error) {
        await database.close();
        throw error;
      }
    },
    {
      ...CONNECT_RETRY,
      signal,
      shouldRetry: (error) => !(error instanceof SchemaError),
      onRetry: (error) => logger.warn({ err: error }, 'waiting for the database'),
    },
  );

function logsOf(settings: GatewaySettings, database: Database): LogSource {
  if (settings.podLogs !== null) {
    const { namespace, selector } = settings.podLogs;
    const mark = {
      read: async () => {
        const at = await database.read.settings.get<string>(SETTING.logsCleared);
        return at === null ? null : new Date(at);
      },
      move: (to: Date) => database.read.settings.set(SETTING.logsCleared, to.toISOString()),
    };
    let logs: Promise<PodLogs> | null = null;
    const connect = () => (logs ??= kubernetesApi().then((api) => new PodLogs(api, namespace)));
    return new PodLogSource(connect, { all: selector, server: `${selector},${SERVER_PODS}` }, mark);
  }
  return settings.logFolder === null ? new NoLogs() : new FileLogs(settings.logFolder);
}

function registerGauges(metrics: Metrics, database: Database): void {
  const most = LIMITS.countedJobs;
  const unsent = (field: 'waiting' | 'parked') => async () => (await database.read.outbox.backlog())[field];
  metrics.gauge(
    'pipeline_outbox_unsent_messages',
    `Outbox messages that were not sent to the event bus yet, at most ${most}.`,
    unsent('waiting'),
  );
  metrics.gauge('pipeline_outbox_parked_messages', `Unsent messages that the event bus refused, at most ${most}.`, unsent('parked'));
  metrics.gauge('pipeline_dead_jobs', 'Dead jobs that were not replayed.', async () =>
    Object.values(await database.read.deadLetters.counts()).reduce((sum, count) => sum + count, 0),
  );
  metrics.gauge(
    'pipeline_unseen_failures',
    'Failures that no administrator marked as seen.',
    async () => (await unseenFailures(database)).length,
  );
  metrics.gauge('pipeline_unknown_publishes', 'Publish attempts with an unknown outcome.', () => database.read.attempts.countUnknown());
}
