import { objectIn, type PublishOutcome } from '@autoposter/domain';
import { wordsFrom, type Answer } from '@autoposter/resilience';
import { codeOf, findGraphError, graphFailureOf, readGraphError, regainSeconds, type GraphError } from './graph-error';

/** Codes by which the platform reports that nothing was published; 9 and 24 only with this subcode, and never with MAY_BE_LIVE. */
const NOTHING_PUBLISHED: readonly { code: number; subcode: number | null }[] = [
  { code: 9007, subcode: null },
  { code: 24, subcode: 2207008 },
  // the platform checks its daily quota in this call, and need not apply the number that it reports
  { code: 9, subcode: 2207042 },
  { code: 4, subcode: null },
  { code: 17, subcode: null },
  { code: 32, subcode: null },
  { code: 613, subcode: null },
  { code: 80001, subcode: null },
  { code: 80002, subcode: null },
];

/** Suspected spam: the platform has answered it for posts that went live all the same. */
const MAY_BE_LIVE = 2207051;

const RATE_LIMITS = new Set([4, 17, 32, 613, 80001, 80002]);
const DEFAULT_DELAY_SECONDS = 60;

/**
 * Interprets the answer to `media_publish`. Only a media id means published; only a 4xx with one of the codes above means refused; HTML,
 * 5xx, redirects, other codes, malformed or empty bodies leave the outcome unknown, because the post may be live nevertheless. `failure`
 * is what an answer without a media id means for the account.
 */
export function readPublishAnswer(answer: Answer): PublishOutcome {
  const id = objectIn(answer.json)['id'];
  if (answer.status >= 200 && answer.status < 300 && typeof id === 'string' && /^\w{1,64}$/.test(id))
    return { outcome: 'published', mediaId: id };
  const error = readGraphError(answer);
  const { failure } = graphFailureOf(answer) ?? {};
  const meaning = failure ? { failure } : {};
  if (!error) {
    const message = `Instagram answered the publish call with status ${answer.status} and no media id.`;
    return { outcome: 'unknown', code: null, message, ...meaning };
  }
  const message = wordsFrom(error.message);
  const refused =
    answer.status >= 400 &&
    answer.status < 500 &&
    error.subcode !== MAY_BE_LIVE &&
    // an answer that the platform does not list proves nothing
    findGraphError(error.code, error.subcode) !== null &&
    NOTHING_PUBLISHED.some((entry) => entry.code === error.code && (entry.subcode === null || entry.subcode === error.subcode));
  if (!refused || !failure) return { outcome: 'unknown', code: codeOf(error), message, ...meaning };
  return { outcome: 'refused', retryAfterSeconds: delayOf(error, answer.headers), code: codeOf(error), message, failure };
}

function delayOf(error: GraphError, headers: Headers): number {
  const byTable = findGraphError(error.code, error.subcode)?.retryAfterSeconds ?? DEFAULT_DELAY_SECONDS;
  const byHeader = error.code !== null && RATE_LIMITS.has(error.code) ? regainSeconds(headers) : null;
  return byHeader ?? byTable;
}
