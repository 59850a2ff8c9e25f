import type { SimulatedClock } from '../server/clock';

export interface GeminiSettings {
  requestsPerMinute: number;
  requestsPerDay: number;
  /** Of what is asked; what is answered does not count. */
  tokensPerMinute: number;
  /** How long an uploaded file stays PROCESSING. */
  fileProcessingMs: number;
}

/** Roomier than the free tier, whose numbers would stop a demo after a minute; tests set the true ones. */
export const GEMINI_DEFAULTS: GeminiSettings = {
  requestsPerMinute: 60,
  requestsPerDay: 500,
  tokensPerMinute: 1_000_000,
  fileProcessingMs: 1_000,
};

export interface QuotaStop {
  metric: 'requests' | 'input_token_count';
  quotaId: string;
  value: number;
  retrySeconds: number;
}

/** Requests and their tokens per model in the running minute, and requests in the running day of the Pacific zone. */
export class QuotaLimiter {
  private readonly taken = new Map<string, { at: number; tokens: number }[]>();

  constructor(
    private readonly clock: SimulatedClock,
    private readonly settings: GeminiSettings,
  ) {}

  /** Counts one request; tells which quota stops it. A refused request does not count. */
  take(model: string, tokens: number): QuotaStop | null {
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

const stop = (metric: QuotaStop['metric'], quota: string, value: number, retrySeconds: number): QuotaStop => ({
  metric,
  quotaId: `${quota}-FreeTier`,
  value,
  retrySeconds,
});

const PACIFIC = new Intl.DateTimeFormat('en-CA', { timeZone: 'America/Los_Angeles', dateStyle: 'short' });

function pacificDay(ms: number): string {
  return PACIFIC.format(ms);
}
