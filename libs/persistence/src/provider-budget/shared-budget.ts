import { setTimeout as pause } from 'node:timers/promises';
import {
  budgetAfter,
  decideRequest,
  pauseOf,
  PipelineError,
  type BudgetReading,
  type BudgetRequest,
  type RequestBudget,
  type Side,
} from '@autoposter/domain';
import type { Database } from '../database/database';

interface SharedBudgetOptions {
  /** Name of the budget; a provider can have several. */
  provider: string;
  side: Side;
  /** Maximum wait in milliseconds inside `take`; beyond it `take` throws, so that the job waits without occupying its slot. */
  maxWaitMs?: { person: number; automation: number };
}

const MAX_WAIT_MS = { person: 8000, automation: 2000 };
const MAX_SOURCE = 200;

/** A request budget in Postgres that all processes share, on the database clock and under a short row lock. */
export class SharedBudget implements RequestBudget {
  constructor(
    private readonly database: Pick<Database, 'unitOfWork'>,
    private readonly options: SharedBudgetOptions,
  ) {}

  async take(ask: BudgetRequest): Promise<void> {
    const maxWait = this.options.maxWaitMs ?? MAX_WAIT_MS;
    const deadline = performance.now() + (ask.forPerson ? maxWait.person : maxWait.automation);
    for (;;) {
      const refused = await this.tryTake(ask);
      if (refused === null) return;
      if (performance.now() + refused.waitMs > deadline) throw this.exhausted(refused.waitMs);
      await pause(Math.max(refused.waitMs, 20));
    }
  }

  report(ask: BudgetRequest, reading: BudgetReading | null): Promise<number | null> {
    const { provider } = this.options;
    const source = ask.source.slice(0, MAX_SOURCE);
    return this.database.unitOfWork(async ({ budgets }) => {
      const { state, now } = await budgets.lock(provider);
      const next = budgetAfter(state, reading, now);
      await budgets.save(provider, next);
      if (reading === null) return null;
      if (!reading.refused) {
        await budgets.resume(provider, source);
        return null;
      }
      if (next.blockedUntil !== null && next.blockedUntil > now) return (next.blockedUntil.getTime() - now.getTime()) / 1000;
      const refusals = await budgets.countRefusal(provider, source);
      const seconds = pauseOf(reading, refusals);
      await budgets.pause(provider, source, seconds);
      return seconds;
    });
  }

  /** Wait of a request that is not granted; a duration, because the clocks of process and database may differ. */
  private tryTake(ask: BudgetRequest): Promise<{ waitMs: number } | null> {
    const { provider } = this.options;
    return this.database.unitOfWork(async ({ budgets }) => {
      const { state, now } = await budgets.lock(provider);
      const paused = await budgets.pausedUntil(provider, ask.source.slice(0, MAX_SOURCE));
      const decision = paused === null ? decideRequest(state, ask, now) : { granted: false as const, retryAt: paused };
      if (!decision.granted) return { waitMs: decision.retryAt.getTime() - now.getTime() };
      await budgets.save(provider, decision.next);
      return null;
    });
  }

  private exhausted(waitMs: number): PipelineError {
    const { side, provider } = this.options;
    return PipelineError.of('budget_used_up', { side, retryAfterSeconds: waitMs / 1000, detail: { provider } });
  }
}
