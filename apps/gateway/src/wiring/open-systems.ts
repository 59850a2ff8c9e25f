import { join, resolve } from 'node:path';
import type { Config } from '@autoposter/config';
import { kubernetesApi, PodLogs } from '@autoposter/cluster';
import { allTopics, consumerGroup, STAGES, topics } from '@autoposter/contracts';
import { SETTING } from '@autoposter/domain';
import { KafkaBus, PostgresBus, type EventBus } from '@autoposter/messaging';
import { LocalStore, MinioStore, PublicLinks, type ObjectStore } from '@autoposter/object-store';
import { createMetrics, type Logger, type Metrics } from '@autoposter/observability';
import { Database } from '@autoposter/persistence';
import { OutboxRelay } from '@autoposter/stage-runner';
import { FileLogs } from '../logs/file-logs';
import { NoLogs, type LogSource } from '../logs/log-source';
import { PodLogSource } from '../logs/pod-log-source';
import type { GatewaySettings } from './settings';
import type { Systems } from './systems';

const SERVER_PODS = 'app.kubernetes.io/component=gateway';
const BUS_RETRY_MS = 3_000;

export interface OpenSystems {
  systems: Systems;
  close(): Promise<void>;
}

/** Connects to everything that the configuration names. The database has to be there; bus and store may come later. */
export async function openSystems(config: Config, settings: GatewaySettings, logger: Logger): Promise<OpenSystems> {
  const database = await Database.connect({
    url: config.database.url,
    poolSize: config.database.poolSize,
    applicationName: 'autoposter-gateway',
    logger,
  });
  await database.migrate();
  const bus = busOf(config, database, logger);
  const objects = storeOf(config, settings, logger);
  const metrics = createMetrics('gateway');
  recordNumbers(metrics, database);
  const relay = new OutboxRelay({ database, bus, logger });
  const stopPreparing = prepareTopics(bus, logger, () => relay.start());
  const checks = { database: () => database.health(), objects: () => objects.health(), bus: () => bus.health() };
  return {
    systems: { settings, database, objects, logger, logs: logsOf(settings, database), checks, metrics },
    close: async () => {
      stopPreparing();
      await relay.stop();
      await bus.close();
      await database.close();
    },
  };
}

function busOf(config: Config, database: Database, logger: Logger): EventBus {
  if (config.bus.kind === 'postgres') return new PostgresBus(database.sql, {}, logger);
  const { brokers, replication } = config.bus;
  const copies = { replicationFactor: replication, minInSyncReplicas: Math.max(1, replication - 1) };
  return new KafkaBus({ brokers, clientId: 'autoposter-gateway', ...copies }, undefined, logger);
}

function storeOf(config: Config, settings: GatewaySettings, logger: Logger): ObjectStore {
  const scratch = resolve(config.dataDir);
  if (config.objects.kind === 'minio') {
    const { endpoint, accessKey, secretKey, bucket } = config.objects;
    return new MinioStore({ endpoint, accessKey, secretKey, bucket, scratchFolder: join(scratch, 'incoming'), logger });
  }
  const links = new PublicLinks(settings.jwtSecret);
  const { cdnBaseUrl } = settings;
  const signUrl =
    cdnBaseUrl === null ? {} : { signUrl: (key: string, seconds: number) => `${cdnBaseUrl}${links.path(key, seconds, new Date())}` };
  return new LocalStore({ folder: join(scratch, 'objects'), logger, ...signUrl });
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

/** Declares topics and groups, again and again until the bus is there; then the relay may begin. */
function prepareTopics(bus: EventBus, logger: Logger, onReady: () => void): () => void {
  let timer: NodeJS.Timeout | null = null;
  let stopped = false;
  const groups = STAGES.map((stage) => ({ group: consumerGroup(stage), topic: topics.requested[stage].name }));
  const attempt = (): void => {
    bus.ensureTopics(allTopics, groups).then(
      () => {
        if (!stopped) onReady();
      },
      (error: unknown) => {
        logger.warn({ err: error }, 'the event bus is not there yet');
        if (!stopped) timer = setTimeout(attempt, BUS_RETRY_MS);
      },
    );
  };
  attempt();
  return () => {
    stopped = true;
    if (timer) clearTimeout(timer);
  };
}

function recordNumbers(metrics: Metrics, database: Database): void {
  metrics.gauge('pipeline_outbox_unsent_messages', 'Messages that wait for the event bus.', () => database.read.outbox.countUnsent());
  metrics.gauge('pipeline_dead_jobs', 'Jobs that were given up.', async () => {
    const counts = await database.read.jobs.counts();
    return counts.filter(({ state }) => state === 'dead').reduce((sum, { count }) => sum + count, 0);
  });
  metrics.gauge('pipeline_unseen_failures', 'Failures that nobody has looked at.', () => database.read.items.countUnseenFailures());
}
