import { type AiProviderStatus, CAPTION_STAGE, type FailureEntry, LIMITS } from '@autoposter/contracts';
import { AI_ERROR_TEXT } from '../../text/dashboard.text';
import { formatDateTime } from '../../ui/format';

export interface AiPanel {
  headline: string;
  message: string;
  solutions: readonly string[];
  /** The provider's message, and until when jobs wait. */
  details: readonly string[];
}

/** Used until the server reports AI_DAILY_LIMIT. */
const DEFAULT_LIMIT = LIMITS.ai.requestsPerDay;

const QUOTA = /429|quota|Resource has been exhausted/iu;
const AUTHENTICATION = /401|authentication/iu;

const isQuota = (code: string): boolean => code === 'quota_exceeded' || code === 'rate_limited';

const quotaPanel = (limit: number, details: readonly string[] = []): AiPanel => ({
  headline: AI_ERROR_TEXT.quotaHeadline,
  message: AI_ERROR_TEXT.quota(limit),
  solutions: AI_ERROR_TEXT.solutions,
  details,
});
const authenticationPanel = (details: readonly string[] = []): AiPanel => ({
  headline: AI_ERROR_TEXT.headline,
  message: AI_ERROR_TEXT.authentication,
  solutions: [],
  details,
});

/**
 * What a refused request means. The code of the answer decides; `fallback` is the sentence without any. The specification also names words
 * of an error text: they count only for an answer without a code, which did not come from the product's own API.
 */
export function describeAiError(
  text: string,
  { fallback = AI_ERROR_TEXT.failed, limit = DEFAULT_LIMIT, code }: { fallback?: string; limit?: number; code?: string } = {},
): AiPanel {
  if (code === undefined ? QUOTA.test(text) : isQuota(code)) return quotaPanel(limit);
  if (code === undefined ? AUTHENTICATION.test(text) : code === 'not_authorised') return authenticationPanel();
  const message = text === '' || text === fallback ? fallback : `${fallback}: ${text}`;
  return { headline: AI_ERROR_TEXT.headline, message, solutions: [], details: [] };
}

/** What a failure of the pipeline means, by its kind. */
function describeFailure(
  code: string,
  failure: { message: string; nextAction: string | null; until: string | null },
  limit: number,
): AiPanel {
  const { message, nextAction, until } = failure;
  const waits = until === null ? [] : [AI_ERROR_TEXT.waitsUntil(formatDateTime(until, { zone: true }))];
  if (isQuota(code)) return quotaPanel(limit, [message, ...waits]);
  if (code === 'not_authorised') return authenticationPanel([message, ...waits]);
  const details = [...(nextAction === null ? [] : [nextAction]), ...waits];
  return { headline: AI_ERROR_TEXT.headline, message: `${AI_ERROR_TEXT.failed}: ${message}`, solutions: [], details };
}

/** The first unavailable provider that was not dismissed. */
export function providerPanel(
  providers: readonly AiProviderStatus[],
  dismissed: ReadonlySet<string>,
  now: number,
): (AiPanel & { id: string }) | null {
  for (const { problem, limit } of providers) {
    if (problem === null || dismissed.has(problem.id)) continue;
    // may have ended since the last fetch
    if (problem.until !== null && Date.parse(problem.until) <= now) continue;
    return { id: problem.id, ...describeFailure(problem.code, problem, limit) };
  }
  return null;
}

/** The latest unseen failure of the AI stage. */
export function failurePanel(failures: readonly FailureEntry[], limit: number = DEFAULT_LIMIT): (AiPanel & { id: string }) | null {
  const newest = failures.find(({ kind, stage }) => kind === 'item' && stage === CAPTION_STAGE);
  if (newest === undefined) return null;
  const { id, title, code, message, nextAction } = newest;
  return { id, ...describeFailure(code ?? '', { message: `${title}: ${message}`, nextAction, until: null }, limit) };
}
