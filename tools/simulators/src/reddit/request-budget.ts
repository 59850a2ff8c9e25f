import type { SimulatedClock } from '../server/clock';

/** Calls per window of a client. The headers have the forms of the real ones: used as integer, remaining as decimal. */
export class RequestBudget {
  private windowStart = 0;
  private used = 0;

  constructor(
    private readonly clock: SimulatedClock,
    public limit: number,
    readonly windowSeconds = 600,
  ) {}

  /** Counts one call; `false` when the window is used up. */
  take(): boolean {
    const now = this.clock.seconds();
    if (now - this.windowStart >= this.windowSeconds) {
      this.windowStart = now;
      this.used = 0;
    }
    this.used += 1;
    return this.used <= this.limit;
  }

  headers(): Record<string, string> {
    const reset = Math.max(0, this.windowStart + this.windowSeconds - this.clock.seconds());
    return {
      'x-ratelimit-used': String(Math.min(this.used, this.limit)),
      'x-ratelimit-remaining': Math.max(0, this.limit - this.used).toFixed(1),
      'x-ratelimit-reset': String(reset),
    };
  }

  reset(): void {
    this.windowStart = 0;
    this.used = 0;
  }
}
