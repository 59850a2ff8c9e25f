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
  const running = await Promise.all(starts);
  for (const { server } of running) await createTemplate(server);
  return {
    env: Object.fromEntries(running.map(({ name, server }) => [name, server.url])),
    stop: () => Promise.all(running.map(({ server }) => server.stop())),
  };
}
