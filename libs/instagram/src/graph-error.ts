import type { FailureKind } from '@autoposter/contracts';
import { changeFailure, FAILURE_POLICY, failureOf, objectIn, PipelineError, type Failure, type FailureCode } from '@autoposter/domain';
import { retryAfterIn, wordsFrom, type Answer } from '@autoposter/resilience';

const HOUR = 3600;

/**
 * One row of the platform's error list. `subcode` null = the code alone, and every other subcode unless `LISTED_BY_SUBCODE` has the code;
 * `retryAfterSeconds` is the least pause.
 */
const row = <const Code extends FailureCode>(code: number | null, subcode: number | null, failure: Code, retryAfterSeconds?: number) => ({
  code,
  subcode,
  failure,
  retryAfterSeconds,
});

/**
 * Codes of the Graph API for publishing: Meta's error-codes reference of 2 June 2026, with subcodes reported from the field. The
 * subcodes without a code appear only in the free text of a failed container.
 */
export const GRAPH_ERRORS = [
  row(-2, 2207003, 'instagram_download_slow'),
  row(-2, 2207020, 'instagram_media_expired'),
  row(-1, 2207001, 'instagram_internal', 120),
  row(-1, 2207032, 'instagram_media_not_created'),
  row(-1, 2207053, 'instagram_transfer_failed'),
  row(1, 2207057, 'instagram_cover_outside'),
  row(4, 2207051, 'instagram_spam_suspected', 6 * HOUR),
  row(9, 2207042, 'instagram_daily_posts', HOUR),
  row(24, 2207006, 'instagram_media_missing'),
  row(24, 2207008, 'instagram_upload_missing', 60),
  row(25, 2207050, 'instagram_account_restricted'),
  row(100, 2207023, 'instagram_media_kind_unknown'),
  row(100, 2207028, 'carousel_size'),
  row(100, 2207035, 'instagram_tags_refused'),
  row(100, 2207036, 'instagram_tags_refused'),
  row(100, 2207037, 'instagram_tags_refused'),
  row(100, 2207040, 'caption_mentions'),
  row(100, 33, 'instagram_object_unknown'),
  row(110, 2207013, 'account_not_professional'),
  row(352, 2207026, 'instagram_video_format'),
  row(9004, 2207052, 'instagram_fetch_failed', 30),
  row(9007, 2207027, 'instagram_not_ready', 20),
  row(9007, null, 'instagram_not_ready', 20),
  row(36000, 2207004, 'instagram_picture_too_large'),
  row(36000, null, 'instagram_picture_too_large'),
  row(36001, 2207005, 'instagram_picture_format'),
  row(36001, null, 'instagram_picture_format'),
  row(36003, 2207009, 'instagram_picture_ratio'),
  row(36003, null, 'instagram_picture_ratio'),
  row(36004, 2207010, 'caption_too_long'),
  row(36004, null, 'caption_too_long'),
  row(null, 2207076, 'instagram_video_unprocessable'),
  row(null, 2207085, 'instagram_video_unprocessable'),
  row(null, 2207083, 'instagram_picture_format'),
  row(null, 2207077, 'instagram_video_download_failed'),
  row(null, 2207081, 'instagram_trial_reels'),
  row(null, 2207082, 'instagram_transfer_failed'),
  row(190, 458, 'instagram_app_removed'),
  row(190, 459, 'instagram_checkpoint'),
  row(190, 460, 'instagram_password_changed'),
  row(190, 463, 'instagram_token_expired'),
  row(190, 464, 'instagram_unconfirmed'),
  row(190, 492, 'instagram_no_page_role'),
  row(190, null, 'instagram_token_invalid'),
  row(102, null, 'instagram_session_ended'),
  row(104, null, 'instagram_signature_rejected'),
  row(10, null, 'instagram_permission_missing'),
  row(3, null, 'instagram_call_not_allowed'),
  row(1, null, 'instagram_unknown_error'),
  row(2, null, 'instagram_unavailable'),
  row(4, null, 'instagram_app_limit', HOUR),
  row(17, null, 'instagram_account_limit', HOUR),
  row(32, null, 'instagram_page_limit', HOUR),
  row(613, null, 'instagram_pause', HOUR),
  row(80001, null, 'instagram_page_limit', HOUR),
  row(80002, null, 'instagram_account_limit', HOUR),
  row(368, null, 'instagram_account_blocked'),
  row(506, null, 'instagram_post_exists'),
  row(100, null, 'instagram_value_refused'),
];

export type GraphErrorRow = (typeof GRAPH_ERRORS)[number];

/** Codes of publishing whose subcodes the platform lists: another subcode is an error that it does not list. */
const LISTED_BY_SUBCODE: readonly number[] = [100, 9007, 36000, 36001, 36003, 36004];

/** The row for a code and subcode: the exact pair, then a subcode reported without a code, then the code; `null` for an unlisted one. */
export function findGraphError(code: number | null, subcode: number | null): GraphErrorRow | null {
  const exact = GRAPH_ERRORS.find((entry) => entry.code === code && entry.subcode === subcode && subcode !== null);
  const bySubcode = GRAPH_ERRORS.find((entry) => subcode !== null && subcode >= 2_200_000 && entry.subcode === subcode);
  const found = exact ?? bySubcode;
  if (found !== undefined || code === null || (subcode !== null && LISTED_BY_SUBCODE.includes(code))) return found ?? null;
  return GRAPH_ERRORS.find((entry) => entry.code === code && entry.subcode === null) ?? null;
}

/** The error envelope of the Graph API; `null` in `readGraphError` where the answer has none. */
export interface GraphError {
  status: number;
  code: number | null;
  subcode: number | null;
  transient: boolean;
  message: string;
  /** What the platform would show to a person, in the language of the account. */
  userTitle: string;
  userMessage: string;
  traceId: string | null;
  /** Whether it refuses the location of a post. */
  isOfLocation: boolean;
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
const numberOf = (value: unknown): number | null => (typeof value === 'number' && Number.isFinite(value) ? value : null);

/**
 * A missing or wrong proof of the application has the code of any wrong value and no subcode. Only the text of the error names the parameter.
 * Source: Meta, "Secure Graph API calls".
 */
const isProofProblem = ({ code, subcode, message }: GraphError): boolean =>
  code === 100 && subcode === null && message.includes('appsecret_proof');

/** Source: IG User Media reference, `location_id`. Which field of the error names it is not documented. */
const namesLocation = (error: Record<string, unknown>): boolean => JSON.stringify(error).includes('API__INVALID_LOCATION_ID');

export function readGraphError(answer: Answer): GraphError | null {
  const error = objectIn(objectIn(answer.json)['error']);
  const code = numberOf(error['code']);
  const message = textOf(error['message']);
  if (code === null && message === '') return null;
  return {
    status: answer.status,
    code,
    subcode: numberOf(error['error_subcode']),
    transient: error['is_transient'] === true,
    message,
    userTitle: textOf(error['error_user_title']),
    userMessage: textOf(error['error_user_msg']),
    traceId: typeof error['fbtrace_id'] === 'string' ? error['fbtrace_id'] : null,
    isOfLocation: namesLocation(error),
  };
}

/** Notation of an error for ledgers and logs: `9007/2207027`, or the code alone. */
export const codeOf = (error: GraphError): string => `${error.code ?? 'none'}${error.subcode === null ? '' : `/${error.subcode}`}`;

/**
 * The failure that an answer means, `null` for a usable one (2xx with a JSON object and no error). Unknown codes follow `is_transient`,
 * else the status: 4xx needs a person, 5xx is retried.
 */
export function graphFailureOf(answer: Answer): PipelineError | null {
  const error = readGraphError(answer);
  if (error) return new PipelineError(explain(error, answer.headers));
  const { status, headers } = answer;
  if (status >= 200 && status < 300 && typeof answer.json === 'object' && answer.json !== null) return null;
  const detail = { status };
  if (status === 429) {
    const retryAfterSeconds = retryAfterIn(headers) ?? HOUR;
    return PipelineError.of('instagram_pause', { retryAfterSeconds, detail });
  }
  const isRefusal = status >= 400 && status < 500 && status !== 408;
  return PipelineError.of(isRefusal ? 'instagram_refused_without_reason' : 'instagram_not_the_api', { detail });
}

function explain(error: GraphError, headers: Headers): Failure {
  const { code, subcode, status, traceId, transient, userTitle, userMessage } = error;
  const found = isProofProblem(error) ? findGraphError(104, null) : (findGraphError(code, subcode) ?? knownRange(error));
  const detail = {
    ...{ status, code, subcode, traceId, words: wordsFrom(error.message) },
    ...(userTitle === '' ? {} : { userTitle: wordsFrom(userTitle, 100) }),
    ...(userMessage === '' ? {} : { userMessage: wordsFrom(userMessage) }),
  };
  const passes = transient || status >= 500;
  if (found === null) return unknownError(error, passes, detail);
  const failure = failureOf(error.isOfLocation ? 'instagram_location_unknown' : found.failure, { detail });
  const isLimit = failure.kind === 'rate_limited' || failure.kind === 'quota_exceeded';
  const retryAfterSeconds = (isLimit ? regainSeconds(headers) : null) ?? found.retryAfterSeconds;
  const timed = retryAfterSeconds === undefined ? failure : { ...failure, retryAfterSeconds };
  // `is_transient` and a 5xx promise that a retry may help even where the code alone says that none does
  const isOverruled = passes && FAILURE_POLICY[failure.kind] === 'never' && !LASTING.includes(failure.kind);
  return isOverruled ? changeFailure(timed, { kind: 'transient', side: 'instagram', action: 'none' }) : timed;
}

/** No retry helps, even if the platform marks the error as transient. */
const LASTING: readonly FailureKind[] = ['not_authorised', 'policy', 'conflict'];

function knownRange({ code, status }: GraphError): GraphErrorRow | null {
  if (code !== null && code >= 200 && code <= 299) return findGraphError(10, null);
  return status === 429 ? findGraphError(613, null) : null;
}

function unknownError(error: GraphError, passes: boolean, detail: Failure['detail'] & object): Failure {
  const words = wordsFrom(error.message, 200);
  const fields = { said: words === '' ? `code ${codeOf(error)}` : `"${words}"` };
  if (passes) return failureOf('instagram_problem', { fields, detail });
  return failureOf('instagram_refused', { fields, detail, ...(error.status === 401 ? { kind: 'not_authorised' } : {}) });
}

/** Seconds until calls are allowed again by `X-Business-Use-Case-Usage` (minutes there), `null` where the header has none. */
export function regainSeconds(headers: Headers): number | null {
  try {
    const usage = objectIn(JSON.parse(headers.get('x-business-use-case-usage') ?? ''));
    const minutes = Object.values(usage)
      .flatMap((entries) => (Array.isArray(entries) ? entries : []))
      .map((entry) => numberOf(objectIn(entry)['estimated_time_to_regain_access']) ?? 0);
    const longest = Math.max(0, ...minutes);
    return longest > 0 ? longest * 60 : null;
  } catch {
    return null;
  }
}

/**
 * The failure behind a container's `ERROR`. The container has no field for its error: Meta's reference of `status` puts the subcode into
 * free text only (`… failed with error code 2207026`).
 */
export function explainContainerError(statusText: string | null): Failure {
  const subcode = /\b(22\d{5})\b/.exec(statusText ?? '')?.[1];
  const found = subcode === undefined ? null : findGraphError(null, Number(subcode));
  const detail = { subcode: subcode === undefined ? null : Number(subcode), words: wordsFrom(statusText ?? '') };
  if (found !== null) return failureOf(found.failure, { side: 'instagram', detail });
  return subcode === undefined
    ? failureOf('instagram_processing_failed', { detail })
    : failureOf('instagram_processing_unlisted', { fields: { subcode }, detail });
}
