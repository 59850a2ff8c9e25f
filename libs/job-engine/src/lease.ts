import os from 'node:os';

/** Another worker owns the job; this attempt must not write anything. */
export class LostLease extends Error {
  override readonly name = 'LostLease';
}

interface LeaseKeeperOptions {
  leaseSeconds: number;
  /** When the lease was requested. */
  requestedAt: LeaseInstant;
  /** Extends the lease in the database; `false` if another worker owns the job. */
  renew(): Promise<boolean>;
  /** Called once. After this call the attempt must not write anything. */
  onLost(why: LeaseLoss): void;
}

/** `taken_over`: another worker owns the job, or it was cancelled. `database_silent`: the database did not confirm the lease in time. */
type LeaseLoss = 'taken_over' | 'database_silent';

export interface LeaseInstant {
  monotonic: number;
  wall: number;
  /** Since the start of the machine. */
  up: number;
}

export const leaseInstant = (): LeaseInstant => ({ monotonic: performance.now(), wall: Date.now(), up: os.uptime() * 1000 });

/**
 * Milliseconds since then, by the clock that advanced most: the monotonic clock cannot be set back, but it stops while a machine is
 * suspended; the time since the start of the machine continues then where the system counts it, and so does the wall clock unless it is set
 * back meanwhile.
 */
export function ageOf(then: LeaseInstant): number {
  const { monotonic, wall, up } = leaseInstant();
  return Math.max(monotonic - then.monotonic, wall - then.wall, up - then.up);
}

/**
 * Renews a lease every third of its duration. The lease counts as lost when the database reports it, or when the database has not answered
 * for half of its duration: the attempt needs the other half to stop before another worker may start.
 */
export class LeaseKeeper {
  private confirmedAt: LeaseInstant;
  private renewing = false;
  private ended = false;
  private committing = false;
  private readonly timers: NodeJS.Timeout[];

  constructor(private readonly options: LeaseKeeperOptions) {
    this.confirmedAt = options.requestedAt;
    const ms = options.leaseSeconds * 1000;
    this.timers = [setInterval(() => void this.renew(), ms / 3), setInterval(() => this.check(), ms / 12)];
    for (const timer of this.timers) timer.unref();
  }

  /**
   * Whether this attempt certainly holds the lease now. Timers cannot tell: after a process was frozen, code that was about to run resumes
   * before its timers fire.
   */
  get isHeld(): boolean {
    return !this.ended && !this.isOverdue;
  }

  /** The database granted a full lease that was requested at `requestedAt`. */
  confirm(requestedAt: LeaseInstant): void {
    this.confirmedAt = requestedAt;
  }

  /**
   * Renewals continue, but no loss is reported: the commit of the end finds out whether the job is still held, and a renewal is also refused because
   * that commit came first.
   */
  leaveToCommit(): void {
    this.committing = true;
  }

  stop(): void {
    this.ended = true;
    for (const timer of this.timers) clearInterval(timer);
  }

  private async renew(): Promise<void> {
    if (this.renewing || this.ended) return;
    this.renewing = true;
    const requestedAt = leaseInstant();
    try {
      if (await this.options.renew()) this.confirmedAt = requestedAt;
      else this.lose('taken_over');
    } catch {
      // the database did not answer; `check` decides when that costs the lease
    } finally {
      this.renewing = false;
    }
  }

  private check(): void {
    if (!this.isOverdue || this.committing) return;
    // in a process that was busy or frozen, timers run before answers that have already arrived are read
    setImmediate(() => {
      if (this.isOverdue) this.lose('database_silent');
    });
  }

  private get isOverdue(): boolean {
    return ageOf(this.confirmedAt) > (this.options.leaseSeconds * 1000) / 2;
  }

  private lose(why: LeaseLoss): void {
    if (this.ended) return;
    this.stop();
    if (!this.committing) this.options.onLost(why);
  }
}
