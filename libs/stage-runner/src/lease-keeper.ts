export interface LeaseKeeperOptions {
  leaseSeconds: number;
  /** Asks the database for more time; `false` where the job is somebody else's by now. */
  renew(): Promise<boolean>;
  /** Called once: from here on nothing of this run may be written. */
  onLost(why: string): void;
}

/**
 * Renews a lease every third of its time. It counts as lost when the database says so, or when no answer came for half of its time: the
 * other half is what the run has to stop in before anybody else may start.
 */
export class LeaseKeeper {
  private confirmedAt = performance.now();
  private asking = false;
  private ended = false;
  private readonly timers: NodeJS.Timeout[];

  constructor(private readonly options: LeaseKeeperOptions) {
    const ms = options.leaseSeconds * 1000;
    this.timers = [setInterval(() => void this.ask(), ms / 3), setInterval(() => this.check(), ms / 12)];
    for (const timer of this.timers) timer.unref();
  }

  stop(): void {
    this.ended = true;
    for (const timer of this.timers) clearInterval(timer);
  }

  private async ask(): Promise<void> {
    if (this.asking || this.ended) return;
    this.asking = true;
    const asked = performance.now();
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
    if (performance.now() - this.confirmedAt > (this.options.leaseSeconds * 1000) / 2) this.lose('the database did not answer');
  }

  private lose(why: string): void {
    if (this.ended) return;
    this.stop();
    this.options.onLost(why);
  }
}
