import type { Environment } from './load-config';

/** What code that is no service (tests, trials) may ask the environment. */
export interface ProcessSettings {
  /** A missing container engine is a failure and not a skipped suite. */
  ci: boolean;
  /** A server that stands already, instead of one that the tests start. */
  testDatabaseUrl: string | null;
  path: string;
  temporaryFolder: string;
}

export function readProcessSettings(environment: Environment = process.env): ProcessSettings {
  return {
    ci: ['1', 'true'].includes(environment.CI ?? ''),
    testDatabaseUrl: environment.TEST_DATABASE_URL ?? null,
    path: environment.PATH ?? '',
    temporaryFolder: environment.TMPDIR ?? '/tmp',
  };
}
