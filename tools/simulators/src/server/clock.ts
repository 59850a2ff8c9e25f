/**
 * The simulated time: the system clock plus an offset that only grows, so that tests can expire containers and tokens without waiting.
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
    if (!Number.isFinite(ms) || ms < 0) throw new RangeError('the clock cannot go backwards');
    this.aheadMs += ms;
  }

  reset(): void {
    this.aheadMs = 0;
  }
}
