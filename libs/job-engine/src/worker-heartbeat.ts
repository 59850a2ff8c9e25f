import type { Stage } from '@autoposter/contracts';
import type { Logger } from '@autoposter/observability';
import type { Database } from '@autoposter/persistence';

const BEAT_SECONDS = 10;
/** A worker that missed three beats counts as silent. */
export const SILENT_AFTER_SECONDS = 3 * BEAT_SECONDS;
/** Silent ones stay on the list for an hour, so that a crash can be seen. */
const FORGET_AFTER_SECONDS = 3600;

export interface WorkerHeartbeatOptions {
  database: Database;
  logger: Logger;
  /** The process's name among the holders of leases. */
  id: string;
  stages: readonly Stage[];
  /** Milliseconds between two beats; 10 s unless given. */
  beatMs?: number;
}

/** Says that this process is there and what it works for, until its orderly end. Decides nothing: leases do. */
export class WorkerHeartbeat {
  private timer: NodeJS.Timeout | null = null;
  private beating: Promise<void> | null = null;
  private away = false;
  private isKnown = false;

  constructor(private readonly options: WorkerHeartbeatOptions) {}

  begin(): void {
    this.beating = this.beat();
  }

  /** The process leaves the list. Never rejects: a database that is away forgets it by itself, later. */
  async end(): Promise<void> {
    if (this.timer !== null) clearTimeout(this.timer);
    const { database, id } = this.options;
    await this.beating;
    if (this.timer !== null) clearTimeout(this.timer);
    await database.read.heartbeats.remove(id).catch(() => undefined);
  }

  private async beat(): Promise<void> {
    const { database, logger, id, stages, beatMs } = this.options;
    try {
      await database.read.heartbeats.beat(id, stages, FORGET_AFTER_SECONDS, !this.isKnown);
      this.isKnown = true;
      this.away = false;
    } catch (error) {
      if (!this.away) logger.warn({ error }, 'the worker could not say that it is there');
      this.away = true;
    }
    this.timer = setTimeout(() => (this.beating = this.beat()), beatMs ?? BEAT_SECONDS * 1000);
    this.timer.unref();
  }
}
