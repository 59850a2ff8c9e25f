import type { Logger } from './logger';

const BURST = 20;
const REFILL_MS = 60_000;

/**
 * Limits log lines that unauthenticated requests can cause: 20 at once, then one a minute, so that they do not push other lines out of the
 * log. The next line names how many were left out.
 */
export class LimitedLog {
  private tokens = BURST;
  private refilledAt: number;
  private leftOut = 0;

  constructor(
    private readonly logger: Pick<Logger, 'warn' | 'error'>,
    private readonly now: () => number = () => performance.now(),
  ) {
    this.refilledAt = now();
  }

  warn(facts: object, message: string): void {
    this.write('warn', facts, message);
  }

  error(facts: object, message: string): void {
    this.write('error', facts, message);
  }

  private write(level: 'warn' | 'error', facts: object, message: string): void {
    const refills = Math.floor((this.now() - this.refilledAt) / REFILL_MS);
    this.refilledAt += refills * REFILL_MS;
    this.tokens = Math.min(BURST, this.tokens + refills);
    if (this.tokens === 0) {
      this.leftOut += 1;
      return;
    }
    this.tokens -= 1;
    this.logger[level](this.leftOut === 0 ? facts : { ...facts, leftOut: this.leftOut }, message);
    this.leftOut = 0;
  }
}
