import { ConfigError, drainOnFatalError, loadConfig, type Service } from '@autoposter/config';
import { createLogger, startTracing } from '@autoposter/observability';
import { armFault } from './fault-point';
import { attributeToAttempt } from './job-attempt';
import { WorkerHost, type WorkerHostOptions } from './worker-host';

/** Added to the drain time of running jobs, to release leases and leave bus and database. */
const SHUTDOWN_SECONDS = 15;

/**
 * Runs a worker process: configuration, stages, signals. Exit code 0 after a drain; 1 if configuration or wiring is wrong, the bus
 * consumer stalled, an error was uncaught, or a second signal arrived.
 */
export async function runWorker(service: Service, bindStages: WorkerHostOptions['bindStages']): Promise<void> {
  let config;
  try {
    config = loadConfig(service);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exit(1);
  }
  armFault(config.fault);
  const logger = createLogger({ service, level: config.log.level });
  const tracing = await startTracing({ service, endpoint: config.traceEndpoint, logger });
  const end = (code: number): never => process.exit(code);
  const host = new WorkerHost({
    config,
    logger,
    bindStages,
    onStalled: (reason) => {
      logger.error({ reason }, 'the bus consumer stalled; the process exits to be restarted');
      end(1);
    },
  });
  let draining: Promise<void> | null = null;
  const drain = (): Promise<void> => (draining ??= host.stop().finally(() => tracing.stop()));
  const withinMs = (config.stage.drainSeconds + SHUTDOWN_SECONDS) * 1000;
  drainOnFatalError({ logger, attribute: attributeToAttempt, drain, withinMs });
  const stop = (signal: NodeJS.Signals): void => {
    if (draining !== null) end(1);
    logger.info({ signal }, 'received a stop signal');
    drain().then(
      // with the code of a fatal error meanwhile
      () => process.exit(),
      (error: unknown) => {
        logger.error({ error }, 'the shutdown failed');
        end(1);
      },
    );
  };
  process.on('SIGTERM', stop).on('SIGINT', stop);
  try {
    await host.start();
  } catch (error) {
    if (draining !== null) return;
    logger.error({ error }, 'the process cannot start');
    end(1);
  }
}
