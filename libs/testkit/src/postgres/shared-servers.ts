import { noEngineReason } from '../containers/engine';
import { startContainerPostgres } from './container-server';
import { startEmbeddedPostgres } from './embedded-server';
import { createTemplate } from './fresh-database';

/** Where the processes of a test run find the servers that they share. */
const URL_VARIABLE = { embedded: 'TEST_SHARED_POSTGRES_EMBEDDED', container: 'TEST_SHARED_POSTGRES_CONTAINER' } as const;

/** Address of the shared server of that kind, `undefined` outside a run that shares one. */
export const sharedServerUrl = (kind: keyof typeof URL_VARIABLE): string | undefined => process.env[URL_VARIABLE[kind]];

/**
 * Starts one server of each kind with a migrated template for a whole test run, instead of one per spec file. Returns the variables for the
 * run. `npm test` calls it; a direct call of Jest runs without it.
 */
export async function startSharedServers(): Promise<{ env: Record<string, string>; stop(): Promise<unknown> }> {
  const starts = [
    startEmbeddedPostgres().then((server) => ({ name: URL_VARIABLE.embedded, server })),
    ...(noEngineReason() === null ? [startContainerPostgres().then((server) => ({ name: URL_VARIABLE.container, server }))] : []),
  ];
  const running = await Promise.all(starts);
  for (const { server } of running) await createTemplate(server);
  return {
    env: Object.fromEntries(running.map(({ name, server }) => [name, server.url])),
    stop: () => Promise.all(running.map(({ server }) => server.stop())),
  };
}
