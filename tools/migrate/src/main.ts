import { setTimeout as pause } from 'node:timers/promises';
import { ConfigError, drainOnFatalError, loadConfig } from '@autoposter/config';
import { allTopics } from '@autoposter/contracts';
import { createLogger } from '@autoposter/observability';
import { Database, SchemaError } from '@autoposter/persistence';
import { createBus, CONSUMER_GROUPS } from '@autoposter/job-engine';
import { patiently } from './patiently';

/** A database or a broker that comes up beside us is there by then; what started us may try again. */
const UP_WITHIN_MS = 5 * 60_000;
const LEAVE_WITHIN_MS = 10_000;

/**
 * What has to be there before the services run, safe to repeat: the schema, the topics, and where each consumer group begins. The last
 * is what an autoscaler needs: a group without an offset never shows lag, so its workers would never be started.
 */
async function main(): Promise<void> {
  // the service that asks for nothing but database and bus: this program is given no secrets of outside systems
  const config = loadConfig('dmca-worker');
  const logger = createLogger({ service: 'migrate', level: config.log.level });
  const opened: { close(): Promise<unknown> }[] = [];
  // an open transaction is rolled back as its connection ends
  drainOnFatalError({ logger, drain: () => Promise.allSettled(opened.map((one) => one.close())), withinMs: LEAVE_WITHIN_MS });
  const until = (waits: string) => ({ deadline: Date.now() + UP_WITHIN_MS, pause, onRetry: (why: string) => logger.warn({ why }, waits) });

  const database = await patiently(
    () => Database.connect({ url: config.database.url, poolSize: 2, applicationName: 'autoposter-migrate', logger }),
    until('waiting for the database'),
  );
  opened.push(database);
  const { applied } = await database.migrate();
  logger.info({ applied }, applied.length === 0 ? 'the schema is up to date' : 'the schema was brought up to date');

  const bus = createBus(config, database, logger, () => undefined);
  opened.push(bus);
  await patiently(() => bus.ensureTopics(allTopics, CONSUMER_GROUPS), until('waiting for the event bus'));
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
