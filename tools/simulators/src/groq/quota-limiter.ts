import type { SimulatedClock } from '../server/clock';

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

interface Use {
  at: number;
  tokens: number;
}

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/** Limits per model in rolling windows. The headers report requests per day and tokens per minute. */
export class QuotaLimiter {
  private readonly uses = new Map<string, Use[]>();

  constructor(
    private readonly clock: SimulatedClock,
    private readonly settings: GroqSettings,
  ) {}

  /** The limit that a request of `tokens` would exceed, or `null`. */
  exceededBy(model: string, tokens: number): ExceededLimit | null {
    const day = this.within(model, DAY_MS);
    const minute = this.within(model, MINUTE_MS);
    const { requestsPerMinute, requestsPerDay, tokensPerMinute, tokensPerDay } = this.settings;
    const windows: readonly [ExceededLimit['kind'], string, Use[], number, number, number][] = [
      ['requests', 'requests per minute (RPM)', minute, requestsPerMinute, 1, MINUTE_MS],
      ['requests', 'requests per day (RPD)', day, requestsPerDay, 1, DAY_MS],
      ['tokens', 'tokens per minute (TPM)', minute, tokensPerMinute, tokens, MINUTE_MS],
      ['tokens', 'tokens per day (TPD)', day, tokensPerDay, tokens, DAY_MS],
    ];
    for (const [kind, window, uses, limit, requested, ms] of windows) {
      const used = kind === 'requests' ? uses.length : sum(uses);
      if (used + requested <= limit) continue;
      return {
        kind,
        window,
        limit,
        used,
        requested,
        waitSeconds: Math.max(0.01, ((uses[0]?.at ?? this.clock.now()) + ms - this.clock.now()) / 1000),
      };
    }
    return null;
  }

  add(model: string, tokens: number): void {
    this.uses.set(model, [...this.within(model, DAY_MS), { at: this.clock.now(), tokens }]);
  }

  headers(model: string): Record<string, string> {
    const { requestsPerDay, tokensPerMinute } = this.settings;
    const requests = this.within(model, DAY_MS).length;
    const tokens = sum(this.within(model, MINUTE_MS));
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
    this.uses.clear();
  }

  private within(model: string, ms: number): Use[] {
    return (this.uses.get(model) ?? []).filter(({ at }) => this.clock.now() - at < ms);
  }
}

function sum(uses: readonly Use[]): number {
  return uses.reduce((total, { tokens }) => total + tokens, 0);
}

/** `1h2m3.5s`, `7.66s`, `120ms`. */
export function durationText(seconds: number): string {
  if (seconds < 1) return `${Math.round(seconds * 1000)}ms`;
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor((seconds % 3600) / 60);
  const rest = Math.round((seconds % 60) * 1000) / 1000;
  return `${hours > 0 ? `${hours}h` : ''}${hours > 0 || minutes > 0 ? `${minutes}m` : ''}${rest}s`;
}
