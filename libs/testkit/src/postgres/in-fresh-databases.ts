import { freshDatabase, type FreshDatabase } from './fresh-database';
import type { PostgresServer } from './postgres-server';
import { startPostgres, type PostgresKind } from './start-postgres';

/**
 * A server for the suite and a database of its own for each test, which `enter` gets before the test begins. What `enter` answers is
 * called after the test, while the database is still there.
 */
export function useFreshDatabases(
  kind: PostgresKind,
  enter: (fresh: FreshDatabase, server: PostgresServer) => void | Promise<void | (() => Promise<unknown>)>,
  options: { exclusive?: boolean } = {},
): void {
  let server: PostgresServer | undefined;
  let fresh: FreshDatabase | undefined;
  let leave: (() => Promise<unknown>) | void;
  beforeAll(async () => {
    server = await startPostgres(kind, options);
  }, 120_000);
  afterAll(() => server?.stop());
  beforeEach(async () => {
    if (server === undefined) throw new Error('there is no server');
    leave = undefined;
    fresh = await freshDatabase(server);
    leave = await enter(fresh, server);
  });
  afterEach(async () => {
    await leave?.();
    await fresh?.drop();
  });
}
