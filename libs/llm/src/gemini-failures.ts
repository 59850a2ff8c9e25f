import { aiDay, objectIn, retryAfterOf, type PipelineError } from '@autoposter/domain';
import { modelFailure, wordsOf, type FailureParts, type ProviderRefusal } from './model-failure';

const KEY = 'Check GEMINI_API_KEY.';
const DEFAULT_PAUSE_SECONDS = 60;
const MAX_PAUSE_SECONDS = 3600;

/**
 * The failure that a refusal of Gemini means. A wrong key answers 400, not 401; a day's quota ends at midnight Pacific time whatever
 * the retry hint says; several quota violations can come together and the longest window decides. The time until midnight is counted from
 * the answer's own `Date`; `nowMs` is used where it has none.
 */
export function geminiFailure(refusal: ProviderRefusal, nowMs: number): PipelineError {
  const { status, message, error } = refusal;
  const detail = { status, code: String(error['status'] ?? ''), words: wordsOf(message) };
  const parts = status === 429 ? quota(refusal, nowMs) : byStatus(refusal);
  return modelFailure('gemini', { ...parts, detail: { ...detail, ...parts.detail } });
}

function byStatus({ status, message, error }: ProviderRefusal): FailureParts {
  const reasons = detailsOf(error).map((entry) => String(entry['reason'] ?? ''));
  const badKey = reasons.some((reason) => reason.startsWith('API_KEY')) || /api key (?:not valid|expired|not found)/i.test(message);
  if (badKey || status === 401) return { kind: 'not_authorised', says: 'authentication failed: the API key is not valid', nextAction: KEY };
  if (status === 403) {
    const disabled = reasons.includes('SERVICE_DISABLED');
    return {
      kind: 'not_authorised',
      says: disabled ? 'authentication failed: the API is not enabled for this project' : 'authentication failed: the key may not do this',
      nextAction: disabled ? 'Enable the Generative Language API for the project of the key.' : KEY,
    };
  }
  if (status === 402)
    return { kind: 'not_offered', says: 'has no prepaid credit left', nextAction: 'Add credit to the project of the key.' };
  if (status === 404) {
    return { kind: 'not_configured', says: 'does not know the configured model', nextAction: 'Set GEMINI_MODEL to a model of its list.' };
  }
  if (status === 413 || /exceeds the (?:limit|maximum)/i.test(message)) {
    return { kind: 'too_large', says: 'refused the request as too large', nextAction: 'Use fewer or smaller frames.' };
  }
  if (error['status'] === 'FAILED_PRECONDITION') {
    return {
      kind: 'not_offered',
      says: 'does not serve this account or location',
      nextAction: 'Look at the plan and billing of the project.',
    };
  }
  if (status >= 500 || status === 408 || status === 499 || status < 400)
    return { kind: 'transient', says: 'is overloaded or has a problem' };
  return { kind: 'upstream_rejected', says: 'did not accept the request', nextAction: 'Look at the details of this failure.' };
}

function quota({ error, message, headers }: ProviderRefusal, nowMs: number): FailureParts {
  const violations = detailsOf(error).flatMap((entry) => (Array.isArray(entry['violations']) ? entry['violations'].map(objectIn) : []));
  const ids = violations.map((violation) => String(violation['quotaId'] ?? ''));
  const perDay = violations.find((violation) =>
    /per_?day/i.test(`${String(violation['quotaId'] ?? '')}${String(violation['quotaMetric'] ?? '')}`),
  );
  const limit = Number(perDay?.['quotaValue'] ?? /limit: (\d+)/.exec(message)?.[1] ?? Number.NaN);
  const detail = { quotaIds: ids.join(' '), quotaValue: Number.isNaN(limit) ? null : limit };
  if (violations.some((violation) => violation['quotaValue'] === '0') || /limit: 0\b/.test(message)) {
    return {
      kind: 'not_offered',
      says: 'does not offer the configured model on this plan (quota 0)',
      nextAction: 'Set GEMINI_MODEL to another model, or upgrade the plan.',
      detail,
    };
  }
  if (perDay) {
    const size = detail.quotaValue === null ? '' : ` of ${detail.quotaValue} requests`;
    return {
      kind: 'quota_exceeded',
      says: `quota${size} for the day is exceeded (429)`,
      nextAction: 'Work goes on after midnight Pacific time; or upgrade the plan, or use a key of another project.',
      retryAfterSeconds: secondsOfDayLeft(headers['date'], nowMs),
      detail,
    };
  }
  return {
    kind: 'rate_limited',
    says: 'asks for a pause: too many requests (429)',
    nextAction: 'Nothing to do; work goes on after the pause.',
    retryAfterSeconds: retryDelay(error, message, headers) ?? DEFAULT_PAUSE_SECONDS,
    detail,
  };
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
  const told = Number.parseFloat(hint ?? /retry in ([\d.]+)s/i.exec(message)?.[1] ?? '');
  const seconds = Number.isFinite(told) ? told : retryAfterOf({ retryAfter: headers['retry-after'], date: headers['date'] });
  return seconds !== null && seconds >= 0 ? Math.min(Math.ceil(seconds * 1000) / 1000 + 1, MAX_PAUSE_SECONDS) : null;
}

const detailsOf = (error: Record<string, unknown>): Record<string, unknown>[] =>
  Array.isArray(error['details']) ? error['details'].map(objectIn) : [];
