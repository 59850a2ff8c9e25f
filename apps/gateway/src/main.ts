import 'reflect-metadata';
import type { Server } from 'node:http';
import { ConfigError, drainOnFatalError, loadConfig } from '@autoposter/config';
import { createLogger, createMetrics, Health, HealthServer, startTracing } from '@autoposter/observability';
import { armFault, REQUIRED_SYSTEMS } from '@autoposter/job-engine';
import { createApp } from './create-app';
import { ConnectionDrain } from './bootstrap/connection-drain';
import { openSystems } from './bootstrap/open-systems';
import { isTraced } from './http/middleware';
import { settingsFrom } from './bootstrap/settings';

/** Remaining connections are cut after this time: event streams never end on their own. */
const CLOSE_WITHIN_MS = 10_000;
/** Limit of the shutdown after an uncaught error. */
const DRAIN_WITHIN_MS = 20_000;

async function main(): Promise<void> {
  const config = loadConfig('gateway');
  armFault(config.fault);
  const logger = createLogger({ service: 'gateway', level: config.log.level });
  const tracing = await startTracing({ service: 'gateway', endpoint: config.traceEndpoint, requests: isTraced, logger });
  const settings = settingsFrom(config, __dirname);
  const starting = new AbortController();
  const abortStart = (): void => starting.abort(new Error('stopped during start'));
  process.once('SIGTERM', abortStart).once('SIGINT', abortStart);
  let shutDown = (): Promise<unknown> => Promise.resolve(abortStart());
  drainOnFatalError({ logger, drain: () => shutDown(), withinMs: settings.shutdownDelaySeconds * 1000 + DRAIN_WITHIN_MS });
  const metrics = createMetrics('gateway');
  let isListening = false;
  const listening = async () => ({ ok: isListening, detail: isListening ? 'The public port is open.' : 'Starting.' });
  const health = new Health({ checks: { listening }, needs: [...REQUIRED_SYSTEMS, 'listening'] });
  health.record(metrics);
  const management = new HealthServer({ port: settings.managementPort, host: settings.host, health, metrics: () => metrics.text() });
  logger.info({ port: await management.listen() }, 'management port open');
  const { systems, close } = await openSystems(config, settings, { logger, metrics, health }, starting.signal);
  const app = await createApp(systems).catch(async (error: unknown) => {
    await close();
    throw error;
  });
  process.off('SIGTERM', abortStart).off('SIGINT', abortStart);

  const server = app.getHttpServer() as Server;
  const connections = new ConnectionDrain(server);
  let shuttingDown: Promise<unknown> | null = null;
  const closeAll = (): Promise<unknown> => {
    health.drain();
    return connections
      .drain(settings.shutdownDelaySeconds * 1000)
      .then(() => {
        setTimeout(() => server.closeAllConnections(), CLOSE_WITHIN_MS).unref();
        const closed = app.close();
        // idle keep-alive connections would keep the process running
        server.closeIdleConnections();
        return closed;
      })
      .then(close)
      .then(() => management.close())
      .finally(() => tracing.stop());
  };
  shutDown = () => (shuttingDown ??= closeAll());
  const stop = (signal: NodeJS.Signals): void => {
    if (shuttingDown !== null) return;
    logger.info({ signal }, 'stopping the gateway');
    shutDown().then(
      // with the code of a fatal error meanwhile
      () => process.exit(),
      (error: unknown) => {
        logger.error({ err: error }, 'the gateway failed to stop cleanly');
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', stop).on('SIGINT', stop);
  await app.listen(settings.port, settings.host);
  isListening = true;
  logger.info({ host: settings.host, port: settings.port, address: settings.publicUrl }, 'the gateway listens');
}

main().catch((error: unknown) => {
  const text =
    error instanceof ConfigError ? error.message : `The gateway cannot start: ${error instanceof Error ? error.message : 'unknown'}`;
  process.stderr.write(`${text}\n`);
  process.exit(1);
});
