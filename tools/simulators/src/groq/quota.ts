import { DAY_MS, type Limit, MINUTE_MS, type UsageLog } from '../server/limits';

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

/** Limits per model in rolling windows. */
export const limitsOf = (settings: GroqSettings): Limit[] => [
  { kind: 'requests', name: 'requests per minute (RPM)', max: settings.requestsPerMinute, ms: MINUTE_MS },
  { kind: 'requests', name: 'requests per day (RPD)', max: settings.requestsPerDay, ms: DAY_MS },
  { kind: 'tokens', name: 'tokens per minute (TPM)', max: settings.tokensPerMinute, ms: MINUTE_MS },
  { kind: 'tokens', name: 'tokens per day (TPD)', max: settings.tokensPerDay, ms: DAY_MS },
];

/** The headers report requests per day and tokens per minute. */
export function rateHeaders(usage: UsageLog, model: string, { requestsPerDay, tokensPerMinute }: GroqSettings): Record<string, string> {
  const requests = usage.used(model, 'requests', DAY_MS);
  const tokens = usage.used(model, 'tokens', MINUTE_MS);
  return {
    'x-ratelimit-limit-requests': String(requestsPerDay),
    'x-ratelimit-limit-tokens': String(tokensPerMinute),
    'x-ratelimit-remaining-requests': String(Math.max(0, requestsPerDay - requests)),
    'x-ratelimit-remaining-tokens': String(Math.max(0, tokensPerMinute - tokens)),
    'x-ratelimit-reset-requests': durationText((requests * 86_400) / requestsPerDay),
    'x-ratelimit-reset-tokens': durationText((tokens * 60) / tokensPerMinute),
  };
}

/** `1h2m3.5s`, `7.66s`, `120ms`. */
export function durationText(seconds: number): string {
  if (seconds < 1) return `${Math.round(seconds * 1000)}ms`;
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor((seconds % 3600) / 60);
  const rest = Math.round((seconds % 60) * 1000) / 1000;
  return `${hours > 0 ? `${hours}h` : ''}${hours > 0 || minutes > 0 ? `${minutes}m` : ''}${rest}s`;
}
