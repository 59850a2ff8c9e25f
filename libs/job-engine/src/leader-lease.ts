import { type Logger, silentLogger } from '@autoposter/observability';
import type { Database } from '@autoposter/persistence';

export interface LeaderLeaseOptions {
  database: Database;
  name: string;
  owner: string;
  /** Default 15; measured by the database clock. */
  seconds?: number;
  logger?: Logger;
}

/**
 * Elects one of several processes for work that only one needs to do. Leadership saves work but guarantees nothing: work that must happen
 * once is also claimed row by row.
 */
export class LeaderLease {
  private fence: number | null = null;
  /** On the monotonic clock. Counted from before the request, so that the lease ends here no later than in the database. */
  private heldUntil = 0;

  constructor(private readonly options: LeaderLeaseOptions) {}

  /** Takes or renews the lease; call it more often than the lease expires. Returns the fence, or `null` if another process leads or the database is unavailable. */
  async hold(): Promise<number | null> {
    const { database, name, owner, seconds = 15, logger = silentLogger } = this.options;
    const before = this.fence;
    const requestedAt = performance.now();
    try {
      this.fence = await database.read.leases.hold(name, owner, seconds);
      this.heldUntil = requestedAt + seconds * 1000;
    } catch (error) {
      this.fence = null;
      if (before !== null) logger.warn({ error, lease: name }, 'leadership is unknown while the database is unavailable');
    }
    if (before === null && this.fence !== null) logger.info({ lease: name, fence: this.fence }, 'this process is the leader');
    return this.isLeader ? this.fence : null;
  }

  get isLeader(): boolean {
    return this.fence !== null && performance.now() < this.heldUntil;
  }

  async release(): Promise<void> {
    this.fence = null;
    await this.options.database.read.leases.release(this.options.name, this.options.owner).catch(() => undefined);
  }
}
