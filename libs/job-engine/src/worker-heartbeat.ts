import type { Stage } from '@autoposter/contracts';
import type { Logger } from '@autoposter/observability';
import type { Database } from '@autoposter/persistence';
import { Poller } from '@autoposter/resilience';

const BEAT_SECONDS = 10;
/** A worker counts as silent after three missed heartbeats. */
export const SILENT_AFTER_SECONDS = 3 * BEAT_SECONDS;
/** Silent workers stay listed for an hour, so that a crash is visible. */
const FORGET_AFTER_SECONDS = 3600;

/**
 * Records that this process is alive and which stages it runs. Only informs: leases decide who owns a job. `id` is the name under which this
 * process holds leases. Returns a function that ends the heartbeat and removes the process from the list.
 */
export function startHeartbeat(database: Database, id: string, stages: readonly Stage[], logger: Logger): () => Promise<void> {
  let isKnown = false;
  const poller = new Poller({
    work: async () => {
      await database.read.heartbeats.beat(id, stages, FORGET_AFTER_SECONDS, !isKnown);
      isKnown = true;
    },
    everyMs: () => BEAT_SECONDS * 1000,
    problem: 'the heartbeat of this worker could not be written',
    logger,
  });
  poller.wake();
  return async () => {
    await poller.stop();
    // if the database is unavailable, the entry expires
    await database.read.heartbeats.remove(id).catch(() => undefined);
  };
}
