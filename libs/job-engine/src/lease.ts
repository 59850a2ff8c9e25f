/** The job is somebody else's: whatever this run still has to say is dropped. */
export class LostLease extends Error {
  override readonly name = 'LostLease';
}

export interface LeaseKeeperOptions {
  leaseSeconds: number;
  /** Asks the database for more time; `false` where the job is somebody else's by now. */
  renew(): Promise<boolean>;
  /** Called once: from here on nothing of this run may be written. */
  onLost(why: string): void;
}

export interface LeaseInstant {
  monotonic: number;
  wall: number;
}

export const now = (): LeaseInstant => ({ monotonic: performance.now(), wall: Date.now() });

/**
 * Renews a lease every third of its time. It counts as lost when the database says so, or when no answer came for half of its time: the
 * other half is what the run has to stop in before anybody else may start.
 */
export class LeaseKeeper {
  private confirmedAt = now();
  private asking = false;
  private ended = false;
  private readonly timers: NodeJS.Timeout[];

  constructor(private readonly options: LeaseKeeperOptions) {
    const ms = options.leaseSeconds * 1000;
    this.timers = [setInterval(() => void this.ask(), ms / 3), setInterval(() => this.check(), ms / 12)];
    for (const timer of this.timers) timer.unref();
  }

  /**
   * Whether the lease is surely this run's at this very moment. Timers do not tell: in a process that was frozen they fire after the code
   * that was about to run.
   */
  get isHeld(): boolean {
    return !this.ended && this.age() <= (this.options.leaseSeconds * 1000) / 2;
  }

  /** The database gave the run a whole lease, which was asked for at `asked`. */
  confirm(asked: LeaseInstant): void {
    this.confirmedAt = asked;
  }

  stop(): void {
    this.ended = true;
    for (const timer of this.timers) clearInterval(timer);
  }

  private async ask(): Promise<void> {
    if (this.asking || this.ended) return;
    this.asking = true;
    const asked = now();
    try {
      if (await this.options.renew()) this.confirmedAt = asked;
      else this.lose('another worker has it, or it is not wanted any more');
    } catch {
      // no answer: the check decides how long that may last
    } finally {
      this.asking = false;
    }
  }

  private check(): void {
    if (this.age() > (this.options.leaseSeconds * 1000) / 2) this.lose('the database did not answer');
  }

  /** The greater of both: the monotonic clock cannot be set back, and the wall clock continues while a machine is suspended. */
  private age(): number {
    const { monotonic, wall } = now();
    return Math.max(monotonic - this.confirmedAt.monotonic, wall - this.confirmedAt.wall);
  }

  private lose(why: string): void {
    if (this.ended) return;
    this.stop();
    this.options.onLost(why);
  }
}
