import { type AiProviderStatus, CAPTION_STAGE, type FailureEntry, LIMITS } from '@autoposter/contracts';
import { AI_ERROR_TEXT } from '../../text/dashboard.text';
import { formatDateTime } from '../../ui/format';

export interface AiPanel {
  headline: string;
  message: string;
  solutions: readonly string[];
  /** What the provider said, and until when work waits. */
  details: readonly string[];
}

/** AI_DAILY_LIMIT, as far as it is known. */
const DEFAULT_LIMIT = LIMITS.ai.requestsPerDay;

const QUOTA = /429|quota|Resource has been exhausted/iu;
const AUTHENTICATION = /401|authentication/iu;

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

/** What to tell about a request that the server refused. `fallback` is the sentence where nothing more is known. */
export function describeAiError(text: string, fallback: string = AI_ERROR_TEXT.failed, limit: number = DEFAULT_LIMIT): AiPanel {
  if (QUOTA.test(text)) return quotaPanel(limit);
  if (AUTHENTICATION.test(text)) return authenticationPanel();
  const message = text === '' || text === fallback ? fallback : `${fallback}: ${text}`;
  return { headline: AI_ERROR_TEXT.headline, message, solutions: [], details: [] };
}

/** What to tell about a failure that the pipeline met, by its kind. */
function describeFailure(
  code: string,
  failure: { message: string; nextAction: string | null; until: string | null },
  limit: number,
): AiPanel {
  const { message, nextAction, until } = failure;
  const waits = until === null ? [] : [AI_ERROR_TEXT.waitsUntil(formatDateTime(until, { zone: true }))];
  if (code === 'quota_exceeded' || code === 'rate_limited') return quotaPanel(limit, [message, ...waits]);
  if (code === 'not_authorised') return authenticationPanel([message, ...waits]);
  const details = [...(nextAction === null ? [] : [nextAction]), ...waits];
  return { headline: AI_ERROR_TEXT.headline, message: `${AI_ERROR_TEXT.failed}: ${message}`, solutions: [], details };
}

/** The first provider that takes no requests now, unless it was dismissed. */
export function providerPanel(
  providers: readonly AiProviderStatus[],
  dismissed: ReadonlySet<string>,
  now: number,
): (AiPanel & { id: string }) | null {
  for (const { problem, limit } of providers) {
    if (problem === null || dismissed.has(problem.id)) continue;
    // read before its end and shown after it
    if (problem.until !== null && Date.parse(problem.until) <= now) continue;
    return { id: problem.id, ...describeFailure(problem.code, problem, limit) };
  }
  return null;
}

/** The newest unseen post that failed at the models. */
export function failurePanel(failures: readonly FailureEntry[], limit: number = DEFAULT_LIMIT): (AiPanel & { id: string }) | null {
  const newest = failures.find(({ kind, stage }) => kind === 'item' && stage === CAPTION_STAGE);
  if (newest === undefined) return null;
  const { id, title, code, message, nextAction } = newest;
  return { id, ...describeFailure(code ?? '', { message: `${title}: ${message}`, nextAction, until: null }, limit) };
}
