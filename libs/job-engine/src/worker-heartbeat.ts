import type { Stage } from '@autoposter/contracts';
import type { Logger } from '@autoposter/observability';
import type { Database } from '@autoposter/persistence';
import { Poller } from '@autoposter/resilience';

const BEAT_SECONDS = 10;
/** A worker counts as silent after three missed heartbeats. */
export const SILENT_AFTER_SECONDS = 3 * BEAT_SECONDS;
/** Silent workers stay listed for an hour, so that a crash is visible. */
const FORGET_AFTER_SECONDS = 3600;

interface WorkerHeartbeatOptions {
  database: Database;
  logger: Logger;
  /** The name under which this process holds leases. */
  id: string;
  stages: readonly Stage[];
}

/** Records that this process is alive and which stages it runs, until it shuts down. Only informs: leases decide who owns a job. */
export class WorkerHeartbeat {
  private readonly poller: Poller;
  private isKnown = false;

  constructor(private readonly options: WorkerHeartbeatOptions) {
    this.poller = new Poller({
      work: () => this.beat(),
      everyMs: () => BEAT_SECONDS * 1000,
      problem: 'the heartbeat of this worker could not be written',
      logger: options.logger,
    });
  }

  start(): void {
    this.poller.wake();
  }

  /** Removes the process from the list. Never rejects: if the database is unavailable, the entry expires. */
  async stop(): Promise<void> {
    const { database, id } = this.options;
    await this.poller.stop();
    await database.read.heartbeats.remove(id).catch(() => undefined);
  }

  private async beat(): Promise<void> {
    const { database, id, stages } = this.options;
    await database.read.heartbeats.beat(id, stages, FORGET_AFTER_SECONDS, !this.isKnown);
    this.isKnown = true;
  }
}
