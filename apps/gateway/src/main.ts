import 'reflect-metadata';
import { ConfigError, loadConfig } from '@autoposter/config';
import { createLogger } from '@autoposter/observability';
import { createApp } from './create-app';
import { openSystems } from './wiring/open-systems';
import { settingsOf } from './wiring/settings-of';

/** Connections that are still open after this are cut: streams of events would hold the process for ever. */
const CLOSE_WITHIN_MS = 10_000;

async function main(): Promise<void> {
  const config = loadConfig('gateway');
  const logger = createLogger({ service: 'gateway', level: config.log.level });
  const settings = settingsOf(config, __dirname);
  const { systems, close } = await openSystems(config, settings, logger);
  const app = await createApp(systems).catch(async (error: unknown) => {
    await close();
    throw error;
  });
  await app.listen(settings.port, settings.host);
  logger.info({ host: settings.host, port: settings.port, address: settings.publicUrl }, 'the gateway listens');

  let stopping = false;
  const stop = (signal: NodeJS.Signals): void => {
    if (stopping) return;
    stopping = true;
    logger.info({ signal }, 'the gateway stops');
    const server = app.getHttpServer() as import('node:http').Server;
    const cut = setTimeout(() => server.closeAllConnections(), CLOSE_WITHIN_MS);
    cut.unref();
    server.closeIdleConnections();
    app
      .close()
      .then(close)
      .then(
        () => process.exit(0),
        (error: unknown) => {
          logger.error({ err: error }, 'the gateway did not stop in order');
          process.exit(1);
        },
      );
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
}

main().catch((error: unknown) => {
  const text =
    error instanceof ConfigError ? error.message : `The gateway cannot start: ${error instanceof Error ? error.message : 'unknown'}`;
  process.stderr.write(`${text}\n`);
  process.exit(1);
});
