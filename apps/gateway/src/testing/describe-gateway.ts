import { readProcessSettings } from '@autoposter/config';
import { startPostgres, type PostgresServer } from '@autoposter/testkit';

let server: Promise<PostgresServer> | null = null;

/** The embedded server starts in a second and needs no engine; one that was named is taken instead. */
const kind = readProcessSettings().testDatabaseUrl === null ? ('embedded' as const) : undefined;

/** One server per spec file; it goes with the suite that `describeGateway` made. */
export const sharedServer = (): Promise<PostgresServer> => (server ??= startPostgres(kind));

/** A suite with gateways on databases of their own. */
export function describeGateway(name: string, suite: () => void): void {
  describe(name, () => {
    suite();
    // Registered after those of the suite, and so run after them.
    afterAll(async () => {
      const started = server;
      server = null;
      await (await started)?.stop();
    });
  });
}
