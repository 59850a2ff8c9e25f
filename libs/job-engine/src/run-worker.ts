import { ConfigError, drainOnFatalError, loadConfig, type Service } from '@autoposter/config';
import { createLogger, startTracing } from '@autoposter/observability';
import { armFault } from './fault-point';
import { attributeToAttempt } from './job-attempt';
import { WorkerHost, type WorkerHostOptions } from './worker-host';

/** Beside the time that running jobs get: to give back leases and to leave bus and database. */
const LEAVE_SECONDS = 15;

/**
 * The whole life of a worker process: configuration, stages, signals. Exit code 0 after a drain, 1 where the configuration or the wiring
 * is wrong, the bus has gone deaf, an error was caught nowhere, or a second signal asks for haste.
 */
export async function runWorker(service: Service, arrange: WorkerHostOptions['arrange']): Promise<void> {
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
    arrange,
    onStalled: (reason) => {
      logger.error({ reason }, 'the bus has gone deaf; the process ends so that a new one starts');
      end(1);
    },
  });
  let asked = false;
  const drain = (): Promise<void> => host.stop().finally(() => tracing.stop());
  drainOnFatalError({
    logger,
    attribute: attributeToAttempt,
    drain: () => {
      asked = true;
      return drain();
    },
    withinMs: (config.stage.drainSeconds + LEAVE_SECONDS) * 1000,
  });
  const stop = (signal: string): void => {
    if (asked) end(1);
    asked = true;
    logger.info({ signal }, 'asked to stop');
    drain().then(
      () => end(0),
      (error: unknown) => {
        logger.error({ error }, 'the way out failed');
        end(1);
      },
    );
  };
  process.on('SIGTERM', () => stop('SIGTERM'));
  process.on('SIGINT', () => stop('SIGINT'));
  try {
    await host.start();
  } catch (error) {
    if (asked) return;
    logger.error({ error }, 'the process cannot run');
    end(1);
  }
}
