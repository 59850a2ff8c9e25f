import { objectIn, PipelineError, readJson, type Failure, type FailureKind, cutText } from '@autoposter/domain';

export type ModelSide = 'gemini' | 'groq';

/** An HTTP refusal of a provider, read as far as it can be. */
export interface ProviderRefusal {
  status: number;
  headers: Record<string, string>;
  /** The provider's error object, `{}` where the body is none (HTML, empty). */
  error: Record<string, unknown>;
  message: string;
}

/**
 * Reads an error body: `{error:{…}}`, the same inside an array, or the same once more as JSON text inside `message`, all of which
 * providers and their front ends send. Anything else leaves only the status.
 */
export function readRefusal(status: number, headers: Record<string, string> | undefined, body: string | undefined): ProviderRefusal {
  let error = errorObject(readJson(body ?? ''));
  const inner = typeof error['message'] === 'string' ? errorObject(readJson(error['message'])) : {};
  if (Object.keys(inner).length > 0) error = inner;
  const message = typeof error['message'] === 'string' ? error['message'] : '';
  return { status, headers: headers ?? {}, error, message };
}

const errorObject = (json: unknown): Record<string, unknown> => objectIn(objectIn(Array.isArray(json) ? json[0] : json)['error']);

/** Detail of a failure that happened before anything was sent: it costs no request of the day. */
export const NOT_SENT = { sent: false } as const;

const NAMES: Record<ModelSide, string> = { gemini: 'Gemini', groq: 'Groq' };

const RETRIED = 'It is tried again by itself.';

export interface FailureParts {
  kind: FailureKind;
  /** Predicate of the sentence; the provider's name is put in front. */
  says: string;
  nextAction?: string;
  retryAfterSeconds?: number;
  detail?: Failure['detail'];
}

/** Builds the failure of a model call; the sentence begins with the provider's name. */
export function modelFailure(side: ModelSide, parts: FailureParts, cause?: unknown): PipelineError {
  const { kind, says, nextAction, retryAfterSeconds, detail } = parts;
  return new PipelineError(
    {
      kind,
      message: `${NAMES[side]} ${says}.`,
      side,
      nextAction: nextAction ?? RETRIED,
      ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
      ...(detail === undefined ? {} : { detail }),
    },
    { cause },
  );
}

/** Keys and organisation ids out of a provider's words, cut to what a details panel shows. */
export const wordsOf = (message: string): string =>
  cutText(
    message
      .replace(/\b(?:AIza[\w-]{10,}|gsk_\w{8,}|org_\w{8,})/g, '[removed]')
      .replace(/\s+/g, ' ')
      .trim(),
    300,
  );
