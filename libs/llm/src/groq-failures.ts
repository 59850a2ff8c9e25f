import { PipelineError, retryAfterOf } from '@autoposter/domain';
import { modelFailure, wordsOf, type FailureParts, type ProviderRefusal } from './model-failure';

const KEY = 'Check GROQ_API_KEY.';
const MODEL = 'Set GROQ_MODEL to a model of its list.';
const DEFAULT_PAUSE_SECONDS = 30;
/** A pause longer than this is no limit per minute. */
const LONGEST_MINUTE_SECONDS = 60;
const MAX_PAUSE_SECONDS = 86_400;
/** A request above the plan's limit is accepted only once plan or model change; until then it is repeated this rarely. */
const PLAN_CHANGE_SECONDS = 3600;

/** The failure that a refusal of Groq means. Which window is used up stands only in the sentence (`(TPD)`, `(RPD)`) or in the wait. */
export function groqFailure(refusal: ProviderRefusal): PipelineError {
  const { status, message, error } = refusal;
  const parts = status === 429 || status === 498 ? limit(refusal) : byStatus(refusal);
  return modelFailure('groq', {
    ...parts,
    detail: { status, code: String(error['code'] ?? ''), words: wordsOf(message), ...limitIn(message), ...parts.detail },
  });
}

/** Whether one request alone exceeds the plan's limit: waiting does not help, a smaller request may. */
export function isLargerThanPlan(error: unknown): boolean {
  if (!(error instanceof PipelineError) || error.failure.side !== 'groq') return false;
  const { status, limit: most, requested } = error.failure.detail ?? {};
  return typeof most === 'number' && typeof requested === 'number' ? requested > most : status === 413;
}

/** Groq gives the size of a limit and of the request only in its sentence. */
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

function byStatus({ status, error }: ProviderRefusal): FailureParts {
  const code = error['code'];
  if (status === 401) return { kind: 'not_authorised', says: 'authentication failed: the API key is not valid', nextAction: KEY };
  if (status === 403) {
    return {
      kind: 'not_authorised',
      says: 'authentication failed: this key or network may not use the model',
      nextAction: `${KEY} ${MODEL}`,
    };
  }
  if (status === 404 || code === 'model_decommissioned' || code === 'model_not_found') {
    return { kind: 'not_configured', says: 'does not offer the configured model any more', nextAction: MODEL };
  }
  if (code === 'json_validate_failed' || code === 'tool_use_failed')
    return { kind: 'transient', says: 'wrote an answer that is not in the asked-for form' };
  if (status === 413 && (code === 'rate_limit_exceeded' || error['type'] === 'tokens')) {
    return {
      kind: 'quota_exceeded',
      says: 'does not accept a request of this size on the current plan (413)',
      nextAction: 'Upgrade the plan, or set GROQ_MODEL to a model with a larger limit of tokens per minute.',
      retryAfterSeconds: PLAN_CHANGE_SECONDS,
    };
  }
  if (status === 413 || code === 'context_length_exceeded') {
    return {
      kind: 'too_large',
      says: 'refused the request as too large',
      nextAction: 'Use a model with a larger limit of tokens per minute.',
    };
  }
  if (status >= 500 || status === 408 || status === 424 || status === 499 || status < 400)
    return { kind: 'transient', says: 'has a problem of its own' };
  return { kind: 'upstream_rejected', says: 'did not accept the request', nextAction: 'Look at the details of this failure.' };
}

function limit({ headers, message, status }: ProviderRefusal): FailureParts {
  const byHeader = retryAfterOf({ retryAfter: headers['retry-after'], date: headers['date'] });
  const bySentence = parseDuration(/try again in ([\dhms.]+)/i.exec(message)?.[1]?.replace(/\.$/, '') ?? '');
  const seconds = byHeader ?? bySentence ?? DEFAULT_PAUSE_SECONDS;
  const daily = status === 429 && (/\((?:TPD|RPD)\)|per day/i.test(message) || seconds > LONGEST_MINUTE_SECONDS);
  const retryAfterSeconds = Math.ceil(Math.min(seconds, MAX_PAUSE_SECONDS) * 1000) / 1000 + 1;
  return daily
    ? {
        kind: 'quota_exceeded',
        says: 'quota for the day is exceeded (429)',
        nextAction: 'Work goes on by itself; or upgrade the plan.',
        retryAfterSeconds,
      }
    : {
        kind: 'rate_limited',
        says: 'asks for a pause: too many requests',
        nextAction: 'Nothing to do; work goes on after the pause.',
        retryAfterSeconds,
      };
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
