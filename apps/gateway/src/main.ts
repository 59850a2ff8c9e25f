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

/** Connections that are still open after this are cut: streams of events would hold the process for ever. */
const CLOSE_WITHIN_MS = 10_000;
/** Longest time that leaving may take after an error that no code caught. */
const DRAIN_WITHIN_MS = 20_000;

async function main(): Promise<void> {
  const config = loadConfig('gateway');
  armFault(config.fault);
  const logger = createLogger({ service: 'gateway', level: config.log.level });
  const tracing = await startTracing({ service: 'gateway', endpoint: config.traceEndpoint, requests: isTraced, logger });
  const settings = settingsFrom(config, __dirname);
  const starting = new AbortController();
  const abortStart = (): void => starting.abort(new Error('it was told to stop'));
  process.once('SIGTERM', abortStart).once('SIGINT', abortStart);
  let leave = (): Promise<unknown> => Promise.resolve(abortStart());
  drainOnFatalError({ logger, drain: () => leave(), withinMs: settings.shutdownDelaySeconds * 1000 + DRAIN_WITHIN_MS });
  const metrics = createMetrics('gateway');
  let listens = false;
  const listening = async () => ({ ok: listens, detail: listens ? 'The public port listens.' : 'Starting.' });
  const health = new Health({ checks: { listening }, needs: [...REQUIRED_SYSTEMS, 'listening'] });
  health.record(metrics);
  const management = new HealthServer({ port: settings.managementPort, host: settings.host, health, metrics: () => metrics.text() });
  logger.info({ port: await management.listen() }, 'the management port listens');
  const { systems, close } = await openSystems(config, settings, { logger, metrics, health }, starting.signal);
  const app = await createApp(systems).catch(async (error: unknown) => {
    await close();
    throw error;
  });
  process.off('SIGTERM', abortStart).off('SIGINT', abortStart);

  const server = app.getHttpServer() as Server;
  const connections = new ConnectionDrain(server);
  let leaving: Promise<unknown> | null = null;
  const closeAll = (): Promise<unknown> => {
    health.drain();
    return connections
      .drain(settings.shutdownDelaySeconds * 1000)
      .then(() => {
        setTimeout(() => server.closeAllConnections(), CLOSE_WITHIN_MS).unref();
        const closed = app.close();
        // Streams have ended by now, and a connection that is kept open for the next request would hold the process.
        server.closeIdleConnections();
        return closed;
      })
      .then(close)
      .then(() => management.close())
      .finally(() => tracing.stop());
  };
  leave = () => (leaving ??= closeAll());
  const stop = (signal: NodeJS.Signals): void => {
    if (leaving !== null) return;
    logger.info({ signal }, 'the gateway stops');
    leave().then(
      () => process.exit(0),
      (error: unknown) => {
        logger.error({ err: error }, 'the gateway did not stop in order');
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', stop).on('SIGINT', stop);
  await app.listen(settings.port, settings.host);
  listens = true;
  logger.info({ host: settings.host, port: settings.port, address: settings.publicUrl }, 'the gateway listens');
}

main().catch((error: unknown) => {
  const text =
    error instanceof ConfigError ? error.message : `The gateway cannot start: ${error instanceof Error ? error.message : 'unknown'}`;
  process.stderr.write(`${text}\n`);
  process.exit(1);
});
