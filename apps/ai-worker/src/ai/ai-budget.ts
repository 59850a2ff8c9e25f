import { FAILURE_POLICY, PipelineError } from '@autoposter/domain';

const DAY_MS = 86_400_000;

export interface DailyCounter {
  /** Counts one use of `name` on `day` (YYYY-MM-DD) unless `limit` is reached; says whether it was counted. */
  take(name: string, day: string, limit: number): Promise<boolean>;
  /** Takes back one use that came to nothing. */
  giveBack(name: string, day: string): Promise<void>;
}

/** The requests a day (UTC) that the operator allows each outside model; the offline model is free. */
export class AiBudget {
  constructor(
    private readonly counter: DailyCounter,
    private readonly dailyLimit: number,
  ) {}

  /**
   * Makes a call that costs one request of the day. Throws `quota_exceeded` where none is left. A call that the provider itself put off
   * (429) costs nothing: a minute of refusals must not use up the day.
   */
  async spend<T>(model: string, now: Date, call: () => Promise<T>): Promise<T> {
    const seconds = await this.take(model, now);
    if (seconds > 0) throw usedUp(model, new Date(now.getTime() + seconds * 1000));
    try {
      return await call();
    } catch (error) {
      const putOff = error instanceof PipelineError && FAILURE_POLICY[error.failure.kind] === 'wait';
      if (putOff && model !== 'offline') await this.counter.giveBack(nameOf(model), dayOf(now));
      throw error;
    }
  }

  /** Takes one request of the day; answers 0, or the seconds until the next day's budget. */
  async take(model: string, now: Date): Promise<number> {
    if (model === 'offline') return 0;
    if (await this.counter.take(nameOf(model), dayOf(now), this.dailyLimit)) return 0;
    return Math.ceil((DAY_MS - (now.getTime() % DAY_MS)) / 1000) + 60;
  }
}

const nameOf = (model: string): string => `ai.${model}`;
const dayOf = (now: Date): string => now.toISOString().slice(0, 10);

const usedUp = (model: string, retryAt: Date): PipelineError =>
  new PipelineError({
    kind: 'quota_exceeded',
    message: `The day's AI requests are used up (${model}).`,
    side: 'operator',
    nextAction: 'Nothing to do: work goes on with the next day; or raise AI_DAILY_LIMIT.',
    retryAt: retryAt.toISOString(),
  });
