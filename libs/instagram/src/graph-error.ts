import { objectIn, FAILURE_POLICY, PipelineError, retryAfterOf, type Failure, type FailureKind, cutText } from '@autoposter/domain';
import type { Answer } from './exchange';
import { findGraphError, type GraphErrorRow } from './graph-error-table';

/** The error envelope of the Graph API, read. `null` in `readGraphError` where the answer has none. */
export interface GraphError {
  status: number;
  code: number | null;
  subcode: number | null;
  transient: boolean;
  message: string;
  traceId: string | null;
}

const numberOf = (value: unknown): number | null => (typeof value === 'number' && Number.isFinite(value) ? value : null);

export function readGraphError(answer: Answer): GraphError | null {
  const error = objectIn(objectIn(answer.json)['error']);
  const code = numberOf(error['code']);
  const message = typeof error['message'] === 'string' ? error['message'] : '';
  if (code === null && message === '') return null;
  return {
    status: answer.status,
    code,
    subcode: numberOf(error['error_subcode']),
    transient: error['is_transient'] === true,
    message,
    traceId: typeof error['fbtrace_id'] === 'string' ? error['fbtrace_id'] : null,
  };
}

/** Spelling of an error for ledgers and logs: `9007/2207027`, or the code alone. */
export const codeOf = (error: GraphError): string => `${error.code ?? 'none'}${error.subcode === null ? '' : `/${error.subcode}`}`;

/**
 * The failure that an answer means, `null` for a usable one (2xx with a JSON object and no error). Unknown codes go by what the
 * platform says of them (`is_transient`), else by status: 4xx needs a person, 5xx passes.
 */
export function failureOf(answer: Answer): PipelineError | null {
  const error = readGraphError(answer);
  if (error) return new PipelineError(explain(error, answer.headers));
  const usable = answer.status >= 200 && answer.status < 300 && typeof answer.json === 'object' && answer.json !== null;
  if (usable) return null;
  const person = answer.status >= 400 && answer.status < 500 && answer.status !== 408;
  return new PipelineError({
    kind: answer.status === 429 ? 'rate_limited' : person ? 'upstream_rejected' : 'transient',
    message: person ? 'Instagram refused the request without a reason.' : 'Instagram answered with something that is not its API.',
    side: 'instagram',
    nextAction: person ? 'Check the address of the Graph API and the network in between.' : 'It is tried again by itself.',
    ...(answer.status === 429
      ? { retryAfterSeconds: retryAfterOf({ retryAfter: answer.headers.get('retry-after'), date: answer.headers.get('date') }) ?? 3600 }
      : {}),
    detail: { status: answer.status },
  });
}

function explain(error: GraphError, headers: Headers): Failure {
  const { code, subcode, status, traceId } = error;
  const row = asItPasses(error, findGraphError(code, subcode) ?? unknownRow(error));
  const waits = row.kind === 'rate_limited' || row.kind === 'quota_exceeded';
  const seconds = (waits ? regainSeconds(headers) : null) ?? row.retryAfterSeconds;
  return {
    kind: row.kind,
    message: row.message,
    side: row.side,
    nextAction: row.nextAction,
    ...(seconds === undefined ? {} : { retryAfterSeconds: seconds }),
    detail: { status, code, subcode, traceId, words: cutText(withoutTokens(error.message), 300) },
  };
}

type Meaning = Pick<GraphErrorRow, 'kind' | 'side' | 'message' | 'nextAction' | 'retryAfterSeconds'>;

/** What no repetition mends, whatever the platform says of its own answer. */
const STANDS: readonly FailureKind[] = ['not_authorised', 'policy', 'conflict'];

/** `is_transient` and a 5xx say that another try may help also where the code alone would say that none does. */
function asItPasses({ transient, status }: GraphError, row: Meaning): Meaning {
  const passes = (transient || status >= 500) && FAILURE_POLICY[row.kind] === 'never' && !STANDS.includes(row.kind);
  return passes ? { ...row, kind: 'transient', side: 'instagram', nextAction: 'It is tried again by itself.' } : row;
}

function unknownRow(error: GraphError): Meaning {
  const permission = error.code !== null && error.code >= 200 && error.code <= 299;
  if (permission) return { ...(findGraphError(10, null) as GraphErrorRow) };
  if (error.status === 429) return { ...(findGraphError(613, null) as GraphErrorRow) };
  const words = cutText(withoutTokens(error.message), 200);
  const said = words === '' ? `code ${codeOf(error)}` : `"${words}"`;
  const passing = error.transient || error.status >= 500;
  return passing
    ? { kind: 'transient', side: 'instagram', message: `Instagram has a problem: ${said}.`, nextAction: 'It is tried again by itself.' }
    : {
        kind: error.status === 401 ? 'not_authorised' : 'upstream_rejected',
        side: 'instagram',
        message: `Instagram refused: ${said}.`,
        nextAction: 'Look at the details of this failure.',
      };
}

/** Seconds until calls are allowed again by `X-Business-Use-Case-Usage` (minutes there), `null` where it does not tell. */
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

/** Takes anything that looks like an access token out of the platform's words. */
export const withoutTokens = (text: string): string =>
  text.replace(/\b(?:IG|EA)[A-Za-z0-9_-]{16,}/g, '[token]').replace(/(access_token=)[^&\s"]+/g, '$1[token]');

/** The failure behind a container's `ERROR`: the subcode stands in its free text (`… failed with error code 2207026`). */
export function explainContainerError(statusText: string | null): Failure {
  const subcode = /\b(22\d{5})\b/.exec(statusText ?? '')?.[1];
  const row = subcode ? findGraphError(null, Number(subcode)) : null;
  return {
    kind: row?.kind ?? 'upstream_rejected',
    message: row?.message ?? 'Instagram could not process the upload.',
    side: 'instagram',
    nextAction: row?.nextAction ?? 'Process the post again; if it fails again, use another file.',
    detail: { subcode: subcode ? Number(subcode) : null, words: cutText(withoutTokens(statusText ?? ''), 300) },
  };
}
