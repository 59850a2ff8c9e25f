import { bindStage, messageJobBus, postgresJobBus, StageRunner } from '@autoposter/job-engine';
import { KafkaBus } from '@autoposter/messaging';
import { createLogger } from '@autoposter/observability';
import { Database } from '@autoposter/persistence';
import type { MemberSettings } from './consumer-pool';
import { publishingOf, sleepingStage } from './sleeping.stage';

/** Maximum time to finish running jobs after SIGTERM. */
const DRAIN_MS = 60_000;

/** One worker: subscribes to the stage, runs jobs, and finishes them on SIGTERM before it leaves. */
async function work(settings: MemberSettings): Promise<void> {
  const { name, brokers, databaseUrl, leaseSeconds, sessionMs, slots, workRoot, startsFile } = settings;
  const logger = createLogger({ service: name, level: 'warn' });
  const publishing = publishingOf(brokers);
  const database = await Database.connect({ url: databaseUrl, poolSize: 4, applicationName: name, logger, publishing });
  const kafkaOf = (addresses: string[]): KafkaBus =>
    new KafkaBus(
      { brokers: addresses, clientId: name, sessionTimeoutMs: sessionMs, heartbeatMs: Math.min(3_000, sessionMs / 4) },
      () => process.exit(3),
      logger,
    );
  const bus = brokers === null ? postgresJobBus(database) : messageJobBus(kafkaOf(brokers), database, logger);
  bus.start();
  const stage = bindStage(sleepingStage, { member: name, startsFile });
  const runner = new StageRunner(stage, { database, bus, logger, owner: name, leaseSeconds, retrySeconds: 1, slots, workRoot });
  const leave = async (): Promise<void> => {
    await runner.drain(DRAIN_MS);
    await bus.close();
    await database.close();
    process.exit(0);
  };
  process.once('SIGTERM', () => void leave().catch(() => process.exit(4)));
  process.once('disconnect', () => process.exit(5));
  await runner.start();
  process.send?.('joined');
}

work(JSON.parse(process.argv[2] ?? '') as MemberSettings).catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  process.exit(6);
});
