import { aiDay, failureOf, objectIn, PipelineError, retryAfterOf, type Failure } from '@autoposter/domain';
import { wordsFrom } from '@autoposter/resilience';
import { at, type ProviderRefusal } from './model-call';

const DEFAULT_PAUSE_SECONDS = 60;
const MAX_PAUSE_SECONDS = 3600;

/**
 * The failure that a refusal of Gemini means. A wrong key answers 400, not 401; a day's quota ends at midnight Pacific time whatever
 * the retry hint says; of several quota violations the longest window decides. The time until midnight is counted from the answer's own
 * `Date`, or from `nowMs` without one.
 */
export function geminiFailure(refusal: ProviderRefusal, nowMs: number): PipelineError {
  const { status, message, error } = refusal;
  const failure = status === 429 ? quotaFailure(refusal, nowMs) : statusFailure(refusal);
  const detail = { status, code: String(error['status'] ?? ''), words: wordsFrom(message), ...failure.detail };
  return new PipelineError({ ...failure, detail });
}

function statusFailure({ status, message, error }: ProviderRefusal): Failure {
  const reasons = detailsOf(error).map((entry) => String(entry['reason'] ?? ''));
  if (status === 401 || reasons.some((reason) => reason.startsWith('API_KEY')) || SAYS_BAD_KEY.test(message))
    return failureOf('gemini_key_rejected');
  if (status === 403) return failureOf(reasons.includes('SERVICE_DISABLED') ? 'gemini_api_disabled' : 'gemini_key_forbidden');
  if (status === 402) return failureOf('gemini_no_credit');
  if (status === 404) return failureOf('gemini_model_unknown');
  if (status === 413 || SAYS_TOO_LARGE.test(message)) return failureOf('gemini_request_too_large');
  if (error['status'] === 'FAILED_PRECONDITION') return failureOf('gemini_not_served');
  if (status >= 500 || status === 408 || status === 499 || status < 400) return failureOf('gemini_overloaded');
  return failureOf('model_refused', at('gemini'));
}

/**
 * Gemini's text decides only where its answer has no field for it: without `google.rpc.ErrorInfo` a wrong key and an oversized request are
 * both a bare 400 INVALID_ARGUMENT, and quota answers of 2024 and before have their limit and delay in the text
 * (ai.google.dev/gemini-api/docs/troubleshooting; recorded answers).
 */
const SAYS_BAD_KEY = /api key (?:not valid|expired|not found)/i;
const SAYS_TOO_LARGE = /exceeds the (?:limit|maximum)/i;
const SAYS_LIMIT = /limit: (\d+)/;
const SAYS_NO_QUOTA = /limit: 0\b/;
const SAYS_DELAY = /retry in ([\d.]+)s/i;

function quotaFailure({ error, message, headers }: ProviderRefusal, nowMs: number): Failure {
  const violations = detailsOf(error).flatMap((entry) => (Array.isArray(entry['violations']) ? entry['violations'].map(objectIn) : []));
  const quotaIds = violations.map((violation) => String(violation['quotaId'] ?? '')).join(' ');
  const perDay = violations.find((violation) =>
    /per_?day/i.test(`${String(violation['quotaId'] ?? '')}${String(violation['quotaMetric'] ?? '')}`),
  );
  const limit = Number(perDay?.['quotaValue'] ?? SAYS_LIMIT.exec(message)?.[1] ?? Number.NaN);
  const quotaValue = Number.isNaN(limit) ? null : limit;
  const detail = { quotaIds, quotaValue };
  if (violations.some((violation) => String(violation['quotaValue']) === '0') || SAYS_NO_QUOTA.test(message))
    return failureOf('gemini_model_not_in_plan', { detail });
  if (perDay) {
    const more = { retryAfterSeconds: secondsOfDayLeft(headers['date'], nowMs), detail };
    if (quotaValue === null) return failureOf('gemini_daily_quota', more);
    return failureOf('gemini_daily_limit', { fields: { limit: quotaValue }, ...more });
  }
  const retryAfterSeconds = retryDelay(error, message, headers) ?? DEFAULT_PAUSE_SECONDS;
  return failureOf('model_pause', { ...at('gemini'), retryAfterSeconds, detail });
}

function secondsOfDayLeft(date: string | undefined, nowMs: number): number {
  const answeredAt = Date.parse(date ?? '');
  const now = new Date(Number.isNaN(answeredAt) ? nowMs : answeredAt);
  return (aiDay('gemini', now).endsAt.getTime() - now.getTime()) / 1000;
}

function retryDelay(error: Record<string, unknown>, message: string, headers: Record<string, string>): number | null {
  const hint = detailsOf(error)
    .map((entry) => entry['retryDelay'])
    .find((delay) => typeof delay === 'string');
  const named = Number.parseFloat(hint ?? SAYS_DELAY.exec(message)?.[1] ?? '');
  const seconds = Number.isFinite(named) ? named : retryAfterOf({ retryAfter: headers['retry-after'], date: headers['date'] });
  return seconds !== null && seconds >= 0 ? Math.min(Math.ceil(seconds * 1000) / 1000 + 1, MAX_PAUSE_SECONDS) : null;
}

const detailsOf = (error: Record<string, unknown>): Record<string, unknown>[] =>
  Array.isArray(error['details']) ? error['details'].map(objectIn) : [];
