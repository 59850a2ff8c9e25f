/**
 * The simulated time. It runs with the machine's clock and can be put forward (never back), so that a test sees a container or a
 * token expire without waiting for it.
 */
export class SimulatedClock {
  private aheadMs = 0;

  /** Milliseconds since 1970. */
  now(): number {
    return Date.now() + this.aheadMs;
  }

  seconds(): number {
    return Math.floor(this.now() / 1000);
  }

  iso(): string {
    return new Date(this.now()).toISOString();
  }

  advance(ms: number): void {
    if (!Number.isFinite(ms) || ms < 0) throw new RangeError('the clock only goes forward');
    this.aheadMs += ms;
  }

  /** Back to the machine's time, for a new test. */
  reset(): void {
    this.aheadMs = 0;
  }
}
