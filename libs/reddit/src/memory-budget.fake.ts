import {
  budgetAfter,
  decideRequest,
  pauseOf,
  failureOf,
  PipelineError,
  UNKNOWN_BUDGET,
  type BudgetRequest,
  type BudgetReading,
  type RequestBudget,
} from '@autoposter/domain';

/** The budget of one process, by the same rules as the shared one; it never waits. */
export class MemoryBudget implements RequestBudget {
  private state = UNKNOWN_BUDGET;
  private readonly pauses = new Map<string, { until: Date; refusals: number }>();

  constructor(private readonly clock: () => number = Date.now) {}

  take(ask: BudgetRequest): Promise<void> {
    const now = new Date(this.clock());
    const paused = this.pauses.get(ask.source)?.until;
    // calls of a test that start together share one process: the probe of an unknown window holds up none of them
    const decision = decideRequest({ ...this.state, probeUntil: null }, ask, now);
    const retryAt = paused && paused > now ? paused : decision.granted ? null : decision.retryAt;
    if (decision.granted && retryAt === null) {
      this.state = decision.next;
      return Promise.resolve();
    }
    const failure = failureOf('budget_used_up', { side: 'reddit' });
    return Promise.reject(new PipelineError({ ...failure, ...(retryAt ? { retryAfterSeconds: (+retryAt - +now) / 1000 } : {}) }));
  }

  report({ source }: BudgetRequest, reading: BudgetReading | null): Promise<number | null> {
    const now = new Date(this.clock());
    this.state = budgetAfter(this.state, reading, now);
    if (reading === null) return Promise.resolve(null);
    if (!reading.refused) {
      this.pauses.delete(source);
      return Promise.resolve(null);
    }
    if (this.state.blockedUntil !== null && this.state.blockedUntil > now) return Promise.resolve((+this.state.blockedUntil - +now) / 1000);
    const refusals = (this.pauses.get(source)?.refusals ?? 0) + 1;
    const seconds = pauseOf(reading, refusals);
    this.pauses.set(source, { until: new Date(+now + seconds * 1000), refusals });
    return Promise.resolve(seconds);
  }
}
