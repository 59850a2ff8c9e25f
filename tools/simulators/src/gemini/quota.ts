import type { SimulatedClock } from '../server/clock';
import { DAY_MS, MINUTE_MS, tokensOf, UsageLog } from '../server/limits';

export interface GeminiSettings {
  requestsPerMinute: number;
  requestsPerDay: number;
  /** Input tokens; output tokens do not count. */
  tokensPerMinute: number;
  /** Time that an uploaded video stays PROCESSING. */
  fileProcessingMs: number;
}

/** Higher than the free tier, which would stop the demo after a minute; tests set the real limits. */
export const GEMINI_DEFAULTS: GeminiSettings = {
  requestsPerMinute: 60,
  requestsPerDay: 500,
  tokensPerMinute: 1_000_000,
  fileProcessingMs: 1_000,
};

export interface ExceededQuota {
  metric: 'requests' | 'input_token_count';
  quotaId: string;
  value: number;
  retrySeconds: number;
}

const RETRY_OF_DAY_SECONDS = 22.4;

/** Limits per model: requests and tokens in a rolling minute, requests in a day of the Pacific time zone. */
export class GeminiQuota {
  private readonly log: UsageLog;

  constructor(
    private readonly clock: SimulatedClock,
    private readonly settings: GeminiSettings,
  ) {
    this.log = new UsageLog(clock);
  }

  /** Counts a request or returns the exceeded quota; rejected requests do not count. */
  take(model: string, tokens: number): ExceededQuota | null {
    const { requestsPerMinute, requestsPerDay, tokensPerMinute } = this.settings;
    const now = this.clock.now();
    const minute = this.log.within(model, MINUTE_MS);
    const today = this.log.within(model, DAY_MS).filter(({ at }) => pacificDay(at) === pacificDay(now));
    const retrySeconds = ((minute[0]?.at ?? now) + MINUTE_MS - now) / 1000;
    const rules: readonly [boolean, ExceededQuota['metric'], string, number, number][] = [
      [today.length >= requestsPerDay, 'requests', 'GenerateRequestsPerDayPerProjectPerModel', requestsPerDay, RETRY_OF_DAY_SECONDS],
      [minute.length >= requestsPerMinute, 'requests', 'GenerateRequestsPerMinutePerProjectPerModel', requestsPerMinute, retrySeconds],
      [
        tokensOf(minute) + tokens > tokensPerMinute,
        'input_token_count',
        'GenerateContentInputTokensPerModelPerMinute',
        tokensPerMinute,
        retrySeconds,
      ],
    ];
    const broken = rules.find(([exceeded]) => exceeded);
    if (!broken) {
      this.log.add(model, tokens);
      return null;
    }
    const [, metric, quota, value, seconds] = broken;
    return { metric, quotaId: `${quota}-FreeTier`, value, retrySeconds: seconds };
  }

  reset(): void {
    this.log.reset();
  }
}

const PACIFIC = new Intl.DateTimeFormat('en-CA', { timeZone: 'America/Los_Angeles', dateStyle: 'short' });
const pacificDay = (ms: number): string => PACIFIC.format(ms);
