import { readProcessSettings } from '@autoposter/config';
import { noEngineReason } from '../containers/engine';
import { startContainerPostgres } from './container-server';
import { startEmbeddedPostgres } from './embedded-server';
import type { PostgresServer } from './postgres-server';
import { sharedServerUrl } from './shared-servers';

export type PostgresKind = 'container' | 'embedded';

/**
 * A server for a suite: the one of TEST_DATABASE_URL where a kind is not required, else the one that the whole test run shares, else a new
 * one. A suite that stops its server or changes its settings needs an exclusive one.
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
  return { kind, url, halt: refuse, resume: refuse, stop: () => Promise.resolve() };
}

/** The kinds of server that this machine can start: both major versions that the product supports where containers run. */
export function postgresKinds(): PostgresKind[] {
  const missing = noEngineReason();
  if (missing === null) return ['embedded', 'container'];
  if (readProcessSettings().ci) throw new Error(missing);
  process.stderr.write(`skipped: PostgreSQL 17 (${missing})\n`);
  return ['embedded'];
}
