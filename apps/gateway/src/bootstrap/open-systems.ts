import { setTimeout as pause } from 'node:timers/promises';
import type { Config } from '@autoposter/config';
import { kubernetesApi, PodLogs } from '@autoposter/cluster';
import { allTopics } from '@autoposter/contracts';
import { SETTING } from '@autoposter/domain';
import type { EventBus } from '@autoposter/messaging';
import type { Health, Logger, Metrics } from '@autoposter/observability';
import { Database, SchemaError } from '@autoposter/persistence';
import { checksOf, createBus, createObjectStore, CONSUMER_GROUPS, OutboxRelay } from '@autoposter/job-engine';
import { unseenFailures } from '../failures/failures.service';
import { FileLogs } from '../logs/file-logs';
import { NoLogs, type LogSource, PodLogSource } from '../logs/log-source';
import type { GatewaySettings } from './settings';
import type { Systems } from './systems';

const SERVER_PODS = 'app.kubernetes.io/component=gateway';
const RETRY_MS = 2_000;

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
  const relay = new OutboxRelay({ database, bus, logger });
  const stopPreparing = prepareTopics(bus, logger, () => relay.start());
  health.add(checksOf({ database, bus, objects }));
  return {
    systems: { settings, database, objects, bus, logger, logs: logsOf(settings, database), health },
    close: async () => {
      stopPreparing();
      await relay.stop();
      await bus.close();
      await database.close();
    },
  };
}

/** Retries until the database is reachable; a schema that is too new for this program throws. */
async function connect(config: Config, logger: Logger, signal: AbortSignal): Promise<Database> {
  const { url, poolSize } = config.database;
  for (;;) {
    signal.throwIfAborted();
    let database: Database | null = null;
    try {
      database = await Database.connect({ url, poolSize, applicationName: 'autoposter gateway', logger });
      await database.migrate();
      return database;
    } catch (error) {
      await database?.close();
      if (error instanceof SchemaError) throw error;
      logger.warn({ err: error }, 'waiting for the database');
      await pause(RETRY_MS, undefined, { signal });
    }
  }
}

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

/** Retries to declare topics and consumer groups until the bus accepts them; the outbox relay starts then. */
function prepareTopics(bus: EventBus, logger: Logger, onReady: () => void): () => void {
  let timer: NodeJS.Timeout | null = null;
  let stopped = false;
  const attempt = (): void => {
    bus.ensureTopics(allTopics, CONSUMER_GROUPS).then(
      () => {
        if (!stopped) onReady();
      },
      (error: unknown) => {
        logger.warn({ err: error }, 'the event bus is not available yet');
        if (!stopped) timer = setTimeout(attempt, RETRY_MS);
      },
    );
  };
  attempt();
  return () => {
    stopped = true;
    if (timer) clearTimeout(timer);
  };
}

function registerGauges(metrics: Metrics, database: Database): void {
  metrics.gauge('pipeline_outbox_unsent_messages', 'Outbox messages that were not sent to the event bus yet.', () =>
    database.read.outbox.countUnsent(),
  );
  metrics.gauge('pipeline_outbox_parked_messages', 'Outbox messages that the event bus refused and has not accepted since.', () =>
    database.read.outbox.countParked(),
  );
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
