import { noEngineReason } from '../containers';
import { startEmbeddedPostgres } from './embedded-server';
import { createTemplate } from './fresh-database';
import { startContainerPostgres, URL_VARIABLE } from './start-postgres';

/**
 * Starts one server of each kind with a migrated template for a whole test run, instead of one per spec file. Returns the variables for the
 * run. `npm test` calls it; a direct call of Jest runs without it. Without `containers`, only the embedded server.
 */
export async function startSharedServers({ containers = noEngineReason() === null } = {}): Promise<{
  env: Record<string, string>;
  stop(): Promise<unknown>;
}> {
  const starts = [
    startEmbeddedPostgres().then((server) => ({ name: URL_VARIABLE.embedded, server })),
    ...(containers ? [startContainerPostgres().then((server) => ({ name: URL_VARIABLE.container, server }))] : []),
  ];
  const started = await Promise.allSettled(starts);
  const running = started.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  const stop = () => Promise.all(running.map(({ server }) => server.stop()));
  try {
    for (const one of started) if (one.status === 'rejected') throw one.reason;
    for (const { server } of running) await createTemplate(server);
  } catch (error) {
    // a server that keeps running would keep this process running too
    await stop();
    throw error;
  }
  return { env: Object.fromEntries(running.map(({ name, server }) => [name, server.url])), stop };
}
