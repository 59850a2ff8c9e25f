import { failureOf, type Failure } from '../errors/failure';
import { AI_PROVIDER_NAMES, type AiProvider } from './provider-breaker';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/** Where a provider's day begins. Google starts its daily quotas anew at midnight Pacific time; Groq documents no zone. */
const DAY_ZONES: Record<AiProvider, string> = { gemini: 'America/Los_Angeles', groq: 'UTC' };

/** The provider's calendar day (YYYY-MM-DD) at `now`, and when the next one begins. */
export function aiDay(provider: AiProvider, now: Date): { day: string; endsAt: Date } {
  const zone = DAY_ZONES[provider];
  const day = dayIn(zone, now);
  // Zones differ from UTC by whole minutes, so the first minute of the next day is found exactly, also where a clock change makes 23 or 25 hours.
  let low = Math.floor(now.getTime() / MINUTE_MS);
  let high = low + (2 * DAY_MS) / MINUTE_MS;
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (dayIn(zone, new Date(middle * MINUTE_MS)) === day) low = middle;
    else high = middle;
  }
  return { day, endsAt: new Date(high * MINUTE_MS) };
}

const formats = new Map<string, Intl.DateTimeFormat>();

function dayIn(timeZone: string, time: Date): string {
  const format = formats.get(timeZone) ?? new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' });
  formats.set(timeZone, format);
  const parts = Object.fromEntries(format.formatToParts(time).map((part) => [part.type, part.value]));
  return `${parts['year']}-${parts['month']}-${parts['day']}`;
}

/** The failure of a call beyond AI_DAILY_LIMIT. */
export const dailyLimitReached = (provider: AiProvider, limit: number, endsAt: Date): Failure =>
  failureOf('model_daily_limit', {
    side: provider,
    fields: { limit, provider: AI_PROVIDER_NAMES[provider] },
    retryAt: endsAt.toISOString(),
  });

/** The failure of a call while the provider reports that no request is left. */
export const noRequestsLeft = (provider: AiProvider, nextInSeconds: number | null): Failure =>
  failureOf('model_no_requests_left', {
    side: provider,
    fields: { provider: AI_PROVIDER_NAMES[provider] },
    ...(nextInSeconds === null ? {} : { retryAfterSeconds: nextInSeconds }),
  });
