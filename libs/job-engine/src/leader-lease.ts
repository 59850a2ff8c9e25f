import { type Logger, silentLogger } from '@autoposter/observability';
import type { Database } from '@autoposter/persistence';

export interface LeaderLeaseOptions {
  database: Database;
  name: string;
  owner: string;
  /** 15 unless given; judged by the database clock. */
  seconds?: number;
  logger?: Logger;
}

/**
 * Who of several processes does what one is enough for. Leadership saves work, it protects nothing: what must happen once is claimed row
 * by row as well.
 */
export class LeaderLease {
  private fence: number | null = null;
  /** On the monotonic clock; counted from before the question, so that it ends here no later than in the database. */
  private heldUntil = 0;

  constructor(private readonly options: LeaderLeaseOptions) {}

  /** Takes or keeps the lease; call it more often than its time runs. The fence, or `null` where another leads or the database is away. */
  async hold(): Promise<number | null> {
    const { database, name, owner, seconds = 15, logger = silentLogger } = this.options;
    const before = this.fence;
    const asked = performance.now();
    try {
      this.fence = await database.read.leases.hold(name, owner, seconds);
      this.heldUntil = asked + seconds * 1000;
    } catch (error) {
      this.fence = null;
      if (before !== null) logger.warn({ error, lease: name }, 'leadership is uncertain while the database is away');
    }
    if (before === null && this.fence !== null) logger.info({ lease: name, fence: this.fence }, 'this process leads');
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
