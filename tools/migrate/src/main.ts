import { ConfigError, drainOnFatalError, loadConfig } from '@autoposter/config';
import { allTopics } from '@autoposter/contracts';
import { createLogger } from '@autoposter/observability';
import { SchemaError } from '@autoposter/persistence';
import { createBus, CONSUMER_GROUPS, openDatabase } from '@autoposter/job-engine';
import { retry } from '@autoposter/resilience';

/** A database or broker that starts at the same time is ready by then; the orchestrator may retry afterwards. */
const CONNECT_WITHIN_MS = 5 * 60_000;
const CLOSE_WITHIN_MS = 10_000;

/**
 * Prepares what the services need, safe to repeat: the schema, the topics, and the first offset of each consumer group. An autoscaler needs
 * that offset: a group without one never shows lag, so its workers would never start.
 */
async function main(): Promise<void> {
  // this service needs only database and bus, so the program gets no secrets of external systems
  const config = loadConfig('dmca-worker');
  const logger = createLogger({ service: 'migrate', level: config.log.level });
  const opened: { close(): Promise<unknown> }[] = [];
  // the server rolls back an open transaction when its connection closes
  drainOnFatalError({ logger, drain: () => Promise.allSettled(opened.map((one) => one.close())), withinMs: CLOSE_WITHIN_MS });
  const withinDeadline = (waits: string) => {
    const deadline = Date.now() + CONNECT_WITHIN_MS;
    return {
      shouldRetry: (_error: unknown, pauseMs: number) => Date.now() + pauseMs <= deadline,
      onRetry: (error: unknown) => logger.warn({ why: error instanceof Error ? error.message : 'unknown' }, waits),
    };
  };

  const database = await retry(() => openDatabase(config, logger, 2), withinDeadline('waiting for the database'));
  opened.push(database);
  const { applied } = await database.migrate();
  logger.info({ applied }, applied.length === 0 ? 'the schema is up to date' : 'the schema was brought up to date');

  const bus = createBus(config, database, logger, () => undefined);
  opened.push(bus);
  await retry(() => bus.prepare(), withinDeadline('waiting for the event bus'));
  logger.info({ topics: allTopics.length, groups: CONSUMER_GROUPS.length }, 'topics and groups are declared');
  await bus.close();
  await database.close();
}

main().then(
  () => process.exit(0),
  (error: unknown) => {
    const known = error instanceof ConfigError || error instanceof SchemaError;
    const text = known ? error.message : `The migration failed: ${error instanceof Error ? error.message : 'unknown'}`;
    process.stderr.write(`${text}\n`);
    process.exit(1);
  },
);
