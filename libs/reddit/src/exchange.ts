import { failureOf, objectIn, PipelineError, type BudgetRequest, type BudgetReading, type RequestBudget } from '@autoposter/domain';
import type { Logger } from '@autoposter/observability';
import { exchange, retryAfterIn, type Answer, type ExchangeLimits, type HttpRequest } from '@autoposter/resilience';

/** One request to Reddit and its answer. Throws `transient` where no complete answer came, `too_large` for one above the limit. */
export const ask = (fetchFn: typeof fetch, request: HttpRequest, limits: ExchangeLimits): Promise<Answer> =>
  exchange(fetchFn, request, limits, ({ reason, seconds, status, code }, cause) => {
    const { maxBytes } = limits;
    if (reason === 'too_large')
      return PipelineError.of('reddit_answer_too_large', { fields: { limit: maxBytes }, detail: { status, maxBytes } });
    const detail = { code };
    const failure =
      reason === 'timed_out' ? failureOf('reddit_timed_out', { fields: { seconds }, detail }) : failureOf('reddit_unreachable', { detail });
    return new PipelineError(failure, { cause });
  });

/**
 * Makes one request that the budget grants and reports the answer to the budget. Throws `rate_limited` with `retryAfterSeconds` where
 * the budget is used up or Reddit asks for a pause.
 */
export async function withinBudget(
  budget: RequestBudget,
  wanted: BudgetRequest,
  request: () => Promise<Answer>,
  logger?: Logger,
): Promise<Answer> {
  await budget.take(wanted);
  let answer: Answer | null = null;
  try {
    answer = await request();
  } finally {
    // a request without an answer frees the slot that it held while the window was unknown
    if (answer === null) await budget.report(wanted, null).catch((error: unknown) => logger?.warn({ error }, REPORT_FAILED));
  }
  const reading = readingOf(answer);
  const seconds = await budget.report(wanted, reading).catch((error: unknown) => {
    logger?.warn({ error }, REPORT_FAILED);
    return reading.retryAfterSeconds;
  });
  if (!reading.refused) return answer;
  throw PipelineError.of('reddit_pause', {
    ...(seconds === null ? {} : { retryAfterSeconds: seconds }),
    detail: { status: answer.status, used: reading.used, remaining: reading.remaining },
  });
}

const REPORT_FAILED = 'could not report the answer to the request budget';

/**
 * Reddit's budget headers: `x-ratelimit-remaining` is a decimal (`"997.0"`), `x-ratelimit-reset` whole seconds; many answers carry none.
 * 429, and a 403 that names a time, both ask for a pause.
 */
const readingOf = ({ status, headers }: Answer): BudgetReading => ({
  used: numberIn(headers, 'x-ratelimit-used'),
  remaining: numberIn(headers, 'x-ratelimit-remaining'),
  resetSeconds: numberIn(headers, 'x-ratelimit-reset'),
  refused: status === 429 || (status === 403 && headers.has('retry-after')),
  retryAfterSeconds: retryAfterIn(headers),
});

/** A budget that is overdrawn is used up. */
function numberIn(headers: Headers, name: string): number | null {
  const value = headers.get(name);
  if (value === null || value.trim() === '') return null;
  const number = Number(value);
  return Number.isFinite(number) ? Math.max(number, 0) : null;
}

/** Reasons that Reddit names in the JSON of a 403 or 404. */
const BY_REASON = {
  private: 'subreddit_private',
  quarantined: 'subreddit_quarantined',
  gated: 'subreddit_gated',
  gold_only: 'subreddit_premium',
  banned: 'subreddit_banned',
} as const;

const BY_STATUS = {
  400: 'reddit_request_invalid',
  401: 'reddit_token_rejected',
  403: 'reddit_forbidden',
  404: 'reddit_post_unknown',
  414: 'reddit_request_too_long',
  451: 'reddit_withheld',
} as const;

/** To which Reddit redirects from a subreddit that it does not know. */
const SEARCH = /\/subreddits\/search\?/;

type Refusal = (typeof BY_REASON)[keyof typeof BY_REASON] | (typeof BY_STATUS)[keyof typeof BY_STATUS];

/**
 * The failure that an answer of the API means, `null` for a usable one. The rate limit handles 429 and a block that names a time. Without
 * a reason of Reddit's own the status decides: 4xx needs a person, 5xx is retried.
 */
export function refusalOf(answer: Answer): PipelineError | null {
  const { status } = answer;
  const body = objectIn(answer.json);
  const reason = typeof body['reason'] === 'string' ? body['reason'] : null;
  const named = typeof body['error'] === 'number' || (reason !== null && typeof body['message'] === 'string');
  if (status >= 200 && status < 300 && answer.json !== undefined && !named) return null;
  // any other redirect says nothing about the subreddit or the post
  if (status >= 300 && status < 400)
    return PipelineError.of(SEARCH.test(answer.headers.get('location') ?? '') ? 'subreddit_unknown' : 'reddit_refused', {
      detail: { status },
    });
  const errorStatus = status < 300 && typeof body['error'] === 'number' ? body['error'] : status;
  return PipelineError.of(codeOf(errorStatus, reason, answer.json === undefined), { detail: { status: errorStatus, reason } });
}

function codeOf(
  status: number,
  reason: string | null,
  isHtml: boolean,
): Refusal | 'reddit_network_blocked' | 'reddit_failed' | 'reddit_refused' {
  const byReason = reason === null || status === 400 ? undefined : (BY_REASON as Record<string, Refusal>)[reason];
  if (byReason) return byReason;
  // Reddit's edge refuses the network or the User-Agent with HTML; every other post would fail as well.
  if (status === 403 && isHtml) return 'reddit_network_blocked';
  const byStatus = (BY_STATUS as Record<number, Refusal>)[status];
  if (byStatus) return byStatus;
  // A 200 without JSON is a cut or replaced answer; it is retried like 408, 5xx and the edge's own codes.
  return status < 300 || status === 408 || status >= 500 ? 'reddit_failed' : 'reddit_refused';
}
