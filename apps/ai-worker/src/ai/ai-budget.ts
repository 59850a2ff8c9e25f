const DAY_MS = 86_400_000;

export interface DailyCounter {
  /** Counts one use of `name` on `day` (YYYY-MM-DD) unless `limit` is reached; says whether it was counted. */
  take(name: string, day: string, limit: number): Promise<boolean>;
}

/** The requests a day that the operator allows each outside model; the offline model is free. Days are UTC, as the providers count. */
export class AiBudget {
  constructor(
    private readonly counter: DailyCounter,
    private readonly dailyLimit: number,
  ) {}

  /** Takes one request of the day; answers 0, or the seconds until the next day's budget. */
  async take(model: string, now: Date): Promise<number> {
    if (model === 'offline') return 0;
    if (await this.counter.take(`ai.${model}`, now.toISOString().slice(0, 10), this.dailyLimit)) return 0;
    return Math.ceil((DAY_MS - (now.getTime() % DAY_MS)) / 1000) + 60;
  }
}
