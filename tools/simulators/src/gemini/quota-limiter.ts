import type { SimulatedClock } from '../server/clock';

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

/** Limits per model: requests and tokens in a rolling minute, requests in a day of the Pacific time zone. */
export class QuotaLimiter {
  private readonly taken = new Map<string, { at: number; tokens: number }[]>();

  constructor(
    private readonly clock: SimulatedClock,
    private readonly settings: GeminiSettings,
  ) {}

  /** Counts a request or returns the exceeded quota; rejected requests do not count. */
  take(model: string, tokens: number): ExceededQuota | null {
    const { requestsPerMinute, requestsPerDay, tokensPerMinute } = this.settings;
    const now = this.clock.now();
    const today = pacificDay(now);
    const taken = (this.taken.get(model) ?? []).filter(({ at }) => pacificDay(at) === today);
    this.taken.set(model, taken);
    const minute = taken.filter(({ at }) => now - at < 60_000);
    const retrySeconds = ((minute[0]?.at ?? now) + 60_000 - now) / 1000;
    if (taken.length >= requestsPerDay) return stop('requests', 'GenerateRequestsPerDayPerProjectPerModel', requestsPerDay, 22.4);
    if (minute.length >= requestsPerMinute)
      return stop('requests', 'GenerateRequestsPerMinutePerProjectPerModel', requestsPerMinute, retrySeconds);
    if (minute.reduce((sum, one) => sum + one.tokens, tokens) > tokensPerMinute)
      return stop('input_token_count', 'GenerateContentInputTokensPerModelPerMinute', tokensPerMinute, retrySeconds);
    taken.push({ at: now, tokens });
    return null;
  }

  reset(): void {
    this.taken.clear();
  }
}

const stop = (metric: ExceededQuota['metric'], quota: string, value: number, retrySeconds: number): ExceededQuota => ({
  metric,
  quotaId: `${quota}-FreeTier`,
  value,
  retrySeconds,
});

const PACIFIC = new Intl.DateTimeFormat('en-CA', { timeZone: 'America/Los_Angeles', dateStyle: 'short' });

function pacificDay(ms: number): string {
  return PACIFIC.format(ms);
}
