import type { FailureKind } from '@autoposter/contracts';
import { failureOf, secondsUntilRetry, withRetryAt, type Failure } from '../errors/failure';
import { dayBounds, dayIn } from '../scheduling/zoned-time';
import { secondsAfter } from '../sourcing/request-budget';

/** The external systems that run models. */
export const AI_PROVIDERS = ['gemini', 'groq'] as const;
export type AiProvider = (typeof AI_PROVIDERS)[number];
export const AI_PROVIDER_NAMES: Record<AiProvider, string> = { gemini: 'Gemini', groq: 'Groq' };

/**
 * One breaker per provider, shared by all processes. While `failure` is set, calls are held back until `retryAt`; then one job at a time
 * makes a probing call, and its result closes or reopens the breaker.
 */
export interface ProviderBreaker {
  failure: Failure | null;
  /** When the provider last answered with the failure. */
  refusedAt: Date | null;
  retryAt: Date | null;
  /** Refusals since the breaker was last closed. */
  refusals: number;
  probeJob: string | null;
  probeUntil: Date | null;
}

export const CLOSED: ProviderBreaker = { failure: null, refusedAt: null, retryAt: null, refusals: 0, probeJob: null, probeUntil: null };

type Admission = { admitted: true; probe: boolean } | { admitted: false; failure: Failure; retryAt: Date };

/** Longer than the time limit of a model call, so that a second probe starts only after the first one ended or its process died. */
export const PROBE_SECONDS = 90;
/** How long a job waits for the result of another job's probe. */
const PROBE_RESULT_SECONDS = 15;
/** Age of a refusal from which a person may probe before `retryAt`: the plan or the key may have changed. */
const PERSON_MAY_PROBE_AFTER_SECONDS = 300;
/** The same for a refused key or model, which a person repairs at the provider: such a call costs nothing of a quota. */
const PERSON_MAY_CHECK_REPAIR_AFTER_SECONDS = 10;
const REPAIRED_BY_PERSON: ReadonlySet<FailureKind> = new Set(['not_authorised', 'not_configured', 'not_offered']);
const MAX_PAUSE_SECONDS = 3600;

/** Pause where the provider names none; it doubles with each further refusal. */
const PAUSE_SECONDS: Partial<Record<FailureKind, number>> = {
  rate_limited: 60,
  quota_exceeded: 3600,
  not_authorised: 900,
  not_configured: 900,
  not_offered: 900,
};

/** Whether a failure concerns every call to the provider (quota, key, model), not only this item. */
export const concernsProvider = ({ kind, side }: Failure): boolean =>
  (AI_PROVIDERS as readonly string[]).includes(side) && PAUSE_SECONDS[kind] !== undefined;

/** Whether a call may be made now. */
export function admit(breaker: ProviderBreaker, now: Date, ask: { jobId: string; byPerson: boolean }): Admission {
  const { failure, refusedAt, retryAt, probeJob, probeUntil } = breaker;
  if (failure === null) return { admitted: true, probe: false };
  const mayProbeAfter = REPAIRED_BY_PERSON.has(failure.kind) ? PERSON_MAY_CHECK_REPAIR_AFTER_SECONDS : PERSON_MAY_PROBE_AFTER_SECONDS;
  const early = ask.byPerson && (refusedAt === null || secondsBetween(refusedAt, now) >= mayProbeAfter);
  if (retryAt !== null && retryAt > now && !early) return { admitted: false, failure, retryAt };
  if (probeJob !== null && probeJob !== ask.jobId && probeUntil !== null && probeUntil > now)
    return { admitted: false, failure, retryAt: secondsAfter(now, PROBE_RESULT_SECONDS) };
  return { admitted: true, probe: true };
}

/** The breaker after a refusal. Calls in flight when it opened do not count as further refusals. */
export function refused(breaker: ProviderBreaker, now: Date, failure: Failure): ProviderBreaker {
  const stillOpen = breaker.failure !== null && breaker.probeJob === null && breaker.retryAt !== null && breaker.retryAt > now;
  const refusals = stillOpen ? breaker.refusals : breaker.refusals + 1;
  const base = PAUSE_SECONDS[failure.kind] ?? MAX_PAUSE_SECONDS;
  const seconds = secondsUntilRetry(failure, now);
  const named = seconds === null ? null : secondsAfter(now, seconds);
  const growing =
    refusals > 1 || named === null ? secondsAfter(now, Math.min(base * 2 ** Math.min(refusals - 1, 10), MAX_PAUSE_SECONDS)) : now;
  const retryAt = new Date(Math.max(growing.getTime(), named?.getTime() ?? 0, stillOpen ? (breaker.retryAt?.getTime() ?? 0) : 0));
  return { failure: withRetryAt(failure, retryAt), refusedAt: now, retryAt, refusals, probeJob: null, probeUntil: null };
}

const secondsBetween = (from: Date, to: Date): number => (to.getTime() - from.getTime()) / 1000;

/** The time zone of a provider's day. Google resets daily quotas at midnight Pacific time; Groq documents no zone. */
const DAY_ZONES: Record<AiProvider, string> = { gemini: 'America/Los_Angeles', groq: 'UTC' };

/** The provider's calendar day (YYYY-MM-DD) at `now`, and when the next one begins. */
export function aiDay(provider: AiProvider, now: Date): { day: string; endsAt: Date } {
  const zone = DAY_ZONES[provider];
  const day = dayIn(now, zone);
  return { day, endsAt: dayBounds(day, zone).until };
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
