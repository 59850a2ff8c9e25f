import { failureOf, PipelineError, retryAfterOf, type Failure } from '@autoposter/domain';
import { wordsFrom } from '@autoposter/resilience';
import { at, type ProviderRefusal } from './model-call';

const DEFAULT_PAUSE_SECONDS = 30;
/** A longer pause is not a limit per minute. */
const MAX_PER_MINUTE_WAIT_SECONDS = 60;
const MAX_PAUSE_SECONDS = 86_400;
/** A request above the plan's limit is accepted only after plan or model change; until then it is retried this rarely. */
const PLAN_CHANGE_SECONDS = 3600;

/**
 * The failure that a refusal of Groq means. `error.code` is `rate_limit_exceeded` for every limit: the window (`TPD`, `RPD`), its size and
 * the size of the request appear only in the text of the answer (console.groq.com/docs/rate-limits; recorded answers), so they are read
 * from there.
 */
export function groqFailure(refusal: ProviderRefusal): PipelineError {
  const { status, message, error } = refusal;
  const failure = status === 429 || status === 498 ? limitFailure(refusal) : statusFailure(refusal);
  const detail = { status, code: String(error['code'] ?? ''), words: wordsFrom(message), ...limitIn(message) };
  return new PipelineError({ ...failure, detail });
}

/** Whether one request alone exceeds the plan's limit: waiting does not help, a smaller request may. */
export function isLargerThanPlan(error: unknown): boolean {
  if (!(error instanceof PipelineError) || error.failure.side !== 'groq') return false;
  const { status, limit: most, requested } = error.failure.detail ?? {};
  return typeof most === 'number' && typeof requested === 'number' ? requested > most : status === 413;
}

function limitIn(message: string): { window?: string; limit?: number; requested?: number } {
  const window = /\(([TR]P[MD])\)/.exec(message)?.[1];
  const most = /\bLimit (\d{1,15})\b/.exec(message)?.[1];
  const requested = /\bRequested ~?(\d{1,15})\b/.exec(message)?.[1];
  return {
    ...(window === undefined ? {} : { window }),
    ...(most === undefined ? {} : { limit: Number(most) }),
    ...(requested === undefined ? {} : { requested: Number(requested) }),
  };
}

function statusFailure({ status, error }: ProviderRefusal): Failure {
  const code = error['code'];
  if (status === 401) return failureOf('groq_key_rejected');
  if (status === 403) return failureOf('groq_key_forbidden');
  if (status === 404 || code === 'model_decommissioned' || code === 'model_not_found') return failureOf('groq_model_unknown');
  if (code === 'json_validate_failed' || code === 'tool_use_failed') return failureOf('model_answer_invalid', at('groq'));
  if (status === 413 && (code === 'rate_limit_exceeded' || error['type'] === 'tokens'))
    return failureOf('groq_request_above_plan', { retryAfterSeconds: PLAN_CHANGE_SECONDS });
  if (status === 413 || code === 'context_length_exceeded') return failureOf('groq_request_too_large');
  if (status >= 500 || status === 408 || status === 424 || status === 499 || status < 400) return failureOf('groq_failed');
  return failureOf('model_refused', at('groq'));
}

function limitFailure({ headers, message, status }: ProviderRefusal): Failure {
  const byHeader = retryAfterOf({ retryAfter: headers['retry-after'], date: headers['date'] });
  const byText = parseDuration(/try again in ([\dhms.]+)/i.exec(message)?.[1]?.replace(/\.$/, '') ?? '');
  const seconds = byHeader ?? byText ?? DEFAULT_PAUSE_SECONDS;
  const isDaily = status === 429 && (/\((?:TPD|RPD)\)|per day/i.test(message) || seconds > MAX_PER_MINUTE_WAIT_SECONDS);
  const retryAfterSeconds = Math.ceil(Math.min(seconds, MAX_PAUSE_SECONDS) * 1000) / 1000 + 1;
  if (status === 498) return failureOf('groq_at_capacity', { retryAfterSeconds });
  return isDaily ? failureOf('groq_daily_quota', { retryAfterSeconds }) : failureOf('model_pause', { ...at('groq'), retryAfterSeconds });
}

const UNIT_SECONDS: Readonly<Record<string, number>> = { h: 3600, m: 60, s: 1, ms: 0.001 };

/** Seconds of Groq's duration text (`1h2m3.5s`, `9m38.016s`, `120ms`), `null` for anything else. */
export function parseDuration(text: string): number | null {
  if (!/^(?:\d+(?:\.\d+)?(?:ms|h|m|s))+$/.test(text)) return null;
  let seconds = 0;
  for (const [, amount = '0', unit = 's'] of text.matchAll(/(?<![\d.])(\d+(?:\.\d+)?)(ms|h|m|s)/g))
    seconds += Number(amount) * (UNIT_SECONDS[unit] ?? 0);
  return seconds;
}
