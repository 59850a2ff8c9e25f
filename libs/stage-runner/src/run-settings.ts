import type { Logger, Metrics } from '@autoposter/observability';
import type { Database } from '@autoposter/persistence';

export interface RunSettings {
  database: Database;
  /** Name of this process among the holders of leases. */
  owner: string;
  leaseSeconds: number;
  /** Before the first automatic retry. */
  retrySeconds: number;
  /** Folder in which each run gets one of its own. */
  workRoot: string;
  logger: Logger;
  metrics?: Metrics | undefined;
}
