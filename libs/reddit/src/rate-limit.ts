import { PipelineError, retryAfterOf, type BudgetAsk, type BudgetReading, type RequestBudget } from '@autoposter/domain';
import type { Logger } from '@autoposter/observability';
import type { Answer } from './exchange';

/**
 * Makes one request that the budget grants and reports its answer. Throws `rate_limited` with `retryAfterSeconds` where the budget is used up or
 * Reddit asks for a pause.
 */
export async function withinBudget(
  budget: RequestBudget,
  asked: BudgetAsk,
  request: () => Promise<Answer>,
  logger?: Logger,
): Promise<Answer> {
  await budget.take(asked);
  let answer: Answer | null = null;
  try {
    answer = await request();
  } finally {
    // a request without an answer frees the place that it held while the window was unknown
    if (answer === null) await budget.report(asked, null).catch((error: unknown) => logger?.warn({ error }, REPORT_FAILED));
  }
  const reading = readingOf(answer);
  const seconds = await budget.report(asked, reading).catch((error: unknown) => {
    logger?.warn({ error }, REPORT_FAILED);
    return reading.retryAfterSeconds;
  });
  if (!reading.refused) return answer;
  throw new PipelineError({
    kind: 'rate_limited',
    message: 'Reddit asks for a pause: too many requests.',
    side: 'reddit',
    nextAction: 'Nothing to do; work continues when Reddit accepts requests again.',
    ...(seconds === null ? {} : { retryAfterSeconds: seconds }),
    detail: { status: answer.status, used: reading.used, remaining: reading.remaining },
  });
}

const REPORT_FAILED = 'the answer could not be reported to the request budget';

/**
 * Reddit's budget headers: `x-ratelimit-remaining` is a decimal (`"997.0"`), `x-ratelimit-reset` whole seconds; many answers carry none.
 * 429, and a 403 that names a time, both ask for a pause.
 */
export const readingOf = ({ status, headers }: Pick<Answer, 'status' | 'headers'>): BudgetReading => ({
  used: numberIn(headers, 'x-ratelimit-used'),
  remaining: numberIn(headers, 'x-ratelimit-remaining'),
  resetSeconds: numberIn(headers, 'x-ratelimit-reset'),
  refused: status === 429 || (status === 403 && headers.has('retry-after')),
  retryAfterSeconds: retryAfterOf({ retryAfter: headers.get('retry-after'), date: headers.get('date') }),
});

function numberIn(headers: Headers, name: string): number | null {
  const value = headers.get(name);
  if (value === null || value.trim() === '') return null;
  const number = Number(value);
  return Number.isFinite(number) && number >= 0 ? number : null;
}
