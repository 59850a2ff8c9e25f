import { GenericContainer, Wait } from 'testcontainers';
import { readProcessSettings } from '@autoposter/config';
import { Database, type Publishing } from '@autoposter/persistence';
import { freePort, imageNamed, noEngineReason } from '../containers';
import { pollUntil } from '../poll-until';
import { type PostgresServer, startEmbeddedPostgres } from './embedded-server';
import { dropUnused, type FreshDatabase, freshDatabase } from './fresh-database';

/** The PostgreSQL of `docker/images.env`. Its port is chosen before the start, so that a restart keeps it. */
export async function startContainerPostgres(): Promise<PostgresServer> {
  const port = await freePort();
  const container = await new GenericContainer(imageNamed('POSTGRES_IMAGE'))
    .withExposedPorts({ container: 5432, host: port })
    .withEnvironment({ POSTGRES_PASSWORD: 'test', POSTGRES_INITDB_ARGS: '--no-sync' })
    .withCommand(['postgres', '-c', 'fsync=off', '-c', 'max_connections=200', '-c', 'timezone=UTC'])
    .withWaitStrategy(Wait.forLogMessage(/ready to accept connections/u, 2))
    .start();
  const url = `postgresql://postgres:test@127.0.0.1:${port}/postgres`;
  return {
    kind: 'container',
    url,
    halt: async () => void (await container.exec(['bash', '-c', 'kill -QUIT 1'])).exitCode,
    resume: async () => {
      await container.restart({ timeout: 1 });
      await pollUntil(async () => (await (await Database.connect({ url, poolSize: 1 })).close(), true), 20_000, 'PostgreSQL', 100);
    },
    stop: async () => void (await container.stop()),
  };
}

/** Environment variables with the addresses of the servers that the processes of a test run share. */
export const URL_VARIABLE = { embedded: 'TEST_SHARED_POSTGRES_EMBEDDED', container: 'TEST_SHARED_POSTGRES_CONTAINER' } as const;

/** Address of the shared server of this kind; `undefined` outside a run with shared servers. */
const sharedServerUrl = (kind: keyof typeof URL_VARIABLE): string | undefined => process.env[URL_VARIABLE[kind]];

type PostgresKind = 'container' | 'embedded';

/**
 * A server for a suite: that of TEST_DATABASE_URL if no kind is required, else the shared one of the test run, else a new one. A suite that
 * stops its server or changes its settings needs an exclusive one.
 */
export async function startPostgres(kind?: PostgresKind, { exclusive = false } = {}): Promise<PostgresServer> {
  const configured = readProcessSettings().testDatabaseUrl;
  if (kind === undefined && configured !== null) return existingServer('configured', configured);
  const chosen = kind ?? (noEngineReason() === null ? 'container' : 'embedded');
  const shared = exclusive ? undefined : sharedServerUrl(chosen);
  if (shared !== undefined) return existingServer(chosen, shared);
  return chosen === 'container' ? startContainerPostgres() : startEmbeddedPostgres();
}

function existingServer(kind: PostgresServer['kind'], url: string): PostgresServer {
  const refuse = (): Promise<void> => Promise.reject(new Error('A shared server must not be stopped: start an exclusive one.'));
  return { kind, url, halt: refuse, resume: refuse, stop: () => dropUnused({ url }) };
}

/** The kinds of server that this machine can start: with containers, both supported major versions. */
export function postgresKinds(): PostgresKind[] {
  const missing = noEngineReason();
  if (missing === null) return ['embedded', 'container'];
  if (readProcessSettings().ci) throw new Error(missing);
  process.stderr.write(`skipped: PostgreSQL 17 (${missing})\n`);
  return ['embedded'];
}

/** A server for the suite and a fresh database for each test, which `enter` gets. The function that `enter` returns runs before the drop. */
export function useFreshDatabases(
  kind: PostgresKind,
  enter: (fresh: FreshDatabase, server: PostgresServer) => void | Promise<void | (() => Promise<unknown>)>,
  options: { exclusive?: boolean; publishing?: Publishing } = {},
): void {
  let server: PostgresServer | undefined;
  let fresh: FreshDatabase | undefined;
  let leave: (() => Promise<unknown>) | void;
  beforeAll(async () => {
    server = await startPostgres(kind, options);
  });
  afterAll(() => server?.stop());
  beforeEach(async () => {
    if (server === undefined) throw new Error('the server did not start');
    leave = undefined;
    fresh = await freshDatabase(server, 10, options.publishing);
    leave = await enter(fresh, server);
  });
  afterEach(async () => {
    await leave?.();
    await fresh?.drop();
  });
}
