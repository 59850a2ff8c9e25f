import type { SimulatedClock } from '../server/clock';
import { DAY_MS, MINUTE_MS, tokensOf, UsageLog } from '../server/limits';

export interface GroqSettings {
  requestsPerMinute: number;
  requestsPerDay: number;
  tokensPerMinute: number;
  tokensPerDay: number;
}

/** Free plan limits of the gpt-oss models (July 2026), used for every model. */
export const GROQ_DEFAULTS: GroqSettings = {
  requestsPerMinute: 30,
  requestsPerDay: 1_000,
  tokensPerMinute: 8_000,
  tokensPerDay: 200_000,
};

export interface ExceededLimit {
  kind: 'requests' | 'tokens';
  window: string;
  limit: number;
  used: number;
  requested: number;
  waitSeconds: number;
}

/** Limits per model in rolling windows. The headers report requests per day and tokens per minute. */
export class GroqQuota {
  private readonly log: UsageLog;

  constructor(
    private readonly clock: SimulatedClock,
    private readonly settings: GroqSettings,
  ) {
    this.log = new UsageLog(clock);
  }

  /** The limit that a request of `tokens` would exceed, or `null`. */
  exceededBy(model: string, tokens: number): ExceededLimit | null {
    const { requestsPerMinute, requestsPerDay, tokensPerMinute, tokensPerDay } = this.settings;
    const windows: readonly [ExceededLimit['kind'], string, number, number, number][] = [
      ['requests', 'requests per minute (RPM)', MINUTE_MS, requestsPerMinute, 1],
      ['requests', 'requests per day (RPD)', DAY_MS, requestsPerDay, 1],
      ['tokens', 'tokens per minute (TPM)', MINUTE_MS, tokensPerMinute, tokens],
      ['tokens', 'tokens per day (TPD)', DAY_MS, tokensPerDay, tokens],
    ];
    for (const [kind, window, ms, limit, requested] of windows) {
      const uses = this.log.within(model, ms);
      const used = kind === 'requests' ? uses.length : tokensOf(uses);
      if (used + requested <= limit) continue;
      const now = this.clock.now();
      return { kind, window, limit, used, requested, waitSeconds: Math.max(0.01, ((uses[0]?.at ?? now) + ms - now) / 1000) };
    }
    return null;
  }

  add(model: string, tokens: number): void {
    this.log.add(model, tokens);
  }

  headers(model: string): Record<string, string> {
    const { requestsPerDay, tokensPerMinute } = this.settings;
    const requests = this.log.within(model, DAY_MS).length;
    const tokens = tokensOf(this.log.within(model, MINUTE_MS));
    return {
      'x-ratelimit-limit-requests': String(requestsPerDay),
      'x-ratelimit-limit-tokens': String(tokensPerMinute),
      'x-ratelimit-remaining-requests': String(Math.max(0, requestsPerDay - requests)),
      'x-ratelimit-remaining-tokens': String(Math.max(0, tokensPerMinute - tokens)),
      'x-ratelimit-reset-requests': durationText((requests * 86_400) / requestsPerDay),
      'x-ratelimit-reset-tokens': durationText((tokens * 60) / tokensPerMinute),
    };
  }

  reset(): void {
    this.log.reset();
  }
}

/** `1h2m3.5s`, `7.66s`, `120ms`. */
export function durationText(seconds: number): string {
  if (seconds < 1) return `${Math.round(seconds * 1000)}ms`;
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor((seconds % 3600) / 60);
  const rest = Math.round((seconds % 60) * 1000) / 1000;
  return `${hours > 0 ? `${hours}h` : ''}${hours > 0 || minutes > 0 ? `${minutes}m` : ''}${rest}s`;
}
