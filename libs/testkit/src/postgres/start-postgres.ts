import { readProcessSettings } from '@autoposter/config';
import { noEngineReason } from '../containers/engine';
import { startContainerPostgres } from './container-server';
import { startEmbeddedPostgres } from './embedded-server';
import type { PostgresServer } from './postgres-server';

/** The server of TEST_DATABASE_URL where there is one, else a container, else the embedded server. */
export async function startPostgres(kind?: 'container' | 'embedded'): Promise<PostgresServer> {
  const given = readProcessSettings().testDatabaseUrl;
  if (kind === undefined && given !== null) {
    const refuse = (): Promise<void> => Promise.reject(new Error('a server that was given is not halted'));
    return { kind: 'given', url: given, halt: refuse, resume: refuse, stop: () => Promise.resolve() };
  }
  const chosen = kind ?? (noEngineReason() === null ? 'container' : 'embedded');
  return chosen === 'container' ? startContainerPostgres() : startEmbeddedPostgres();
}

/** The kinds of server that this machine can start: both major versions that the product supports where containers run. */
export function postgresKinds(): ('container' | 'embedded')[] {
  const missing = noEngineReason();
  if (missing === null) return ['embedded', 'container'];
  if (readProcessSettings().ci) throw new Error(missing);
  process.stderr.write(`skipped: PostgreSQL 17 (${missing})\n`);
  return ['embedded'];
}
