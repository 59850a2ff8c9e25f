import type { ItemStage } from '@autoposter/contracts';

/**
 * The closed set of ways in which work can fail. Adapters throw a `PipelineError` with one of these kinds, steps return them,
 * the stage runner decides by `FAILURE_POLICY`, the gateway maps them to HTTP, the console to words. A new kind is a decision.
 */
export const FAILURE_KINDS = [
  'transient',
  'rate_limited',
  'quota_exceeded',
  'not_configured',
  'not_authorised',
  'not_found',
  'not_offered',
  'invalid_input',
  'conflict',
  'upstream_rejected',
  'unsupported_media',
  'too_large',
  'corrupt_media',
  'integrity',
  'rights_blocked',
  'policy',
  'unknown_outcome',
  'internal',
] as const;
export type FailureKind = (typeof FAILURE_KINDS)[number];

/** Who has to act, or whose system it was: ours, the operator's settings, or one of the outside systems. */
export const SIDES = ['ours', 'operator', 'reddit', 'instagram', 'gemini', 'groq', 'google', 'storage'] as const;
export type Side = (typeof SIDES)[number];

/** `backoff`: try again soon, counts as an attempt. `wait`: a date is known, burns no attempt. `never`: a person has to act. */
export type RetryRule = 'backoff' | 'wait' | 'never';

export const FAILURE_POLICY: Record<FailureKind, RetryRule> = {
  transient: 'backoff',
  rate_limited: 'wait',
  quota_exceeded: 'wait',
  not_configured: 'never',
  not_authorised: 'never',
  not_found: 'never',
  not_offered: 'never',
  invalid_input: 'never',
  conflict: 'never',
  upstream_rejected: 'never',
  unsupported_media: 'never',
  too_large: 'never',
  corrupt_media: 'never',
  integrity: 'backoff',
  rights_blocked: 'never',
  policy: 'never',
  unknown_outcome: 'never',
  internal: 'backoff',
};

/** What went wrong, told so that a person can act on it. Never holds a secret, a token or a stack trace. */
export interface Failure {
  kind: FailureKind;
  /** One sentence: what happened, with the item's or the provider's own words where they help. */
  message: string;
  side: Side;
  /** One sentence: what to do next. */
  nextAction: string;
  /**
   * Seconds from this failure on for which another try is pointless (`rate_limited`, `quota_exceeded`). Adapters give this and no moment:
   * the clock of a process may be wrong, and who keeps the failure adds the seconds to the database clock.
   */
  retryAfterSeconds?: number;
  /** The same as an ISO time on the database clock, in place of the seconds. */
  retryAt?: string;
  /** The stage whose output is at fault: a retry starts there, not at the stage that failed. */
  resumeFrom?: ItemStage;
  /** Facts for the log and the details panel: status codes, provider codes, trace ids. */
  detail?: Record<string, string | number | boolean | null>;
}

/** Seconds from `now`, a time of the database clock, until another try makes sense; `null` where the failure does not say it. */
export function secondsUntilRetry({ retryAfterSeconds, retryAt }: Failure, now: Date): number | null {
  const seconds = retryAfterSeconds ?? (retryAt === undefined ? Number.NaN : (Date.parse(retryAt) - now.getTime()) / 1000);
  return Number.isFinite(seconds) ? seconds : null;
}

/** The failure with the moment, on the database clock, from which another try makes sense. */
export function withRetryAt({ retryAfterSeconds: _replaced, ...failure }: Failure, moment: Date): Failure {
  return { ...failure, retryAt: moment.toISOString() };
}

/**
 * Seconds that an HTTP answer asks to wait: `Retry-After` in seconds, or as a date measured against the answer's own `Date`; `null` where it
 * says neither. Whether the provider's clock or that of this process is right does not matter.
 */
export function retryAfterOf(headers: { retryAfter: string | null | undefined; date: string | null | undefined }): number | null {
  const asked = headers.retryAfter?.trim() ?? '';
  if (/^\d{1,12}(?:\.\d{1,9})?$/.test(asked)) return Number(asked);
  if (!/^[A-Za-z]{3,9},? /.test(asked)) return null;
  const seconds = (Date.parse(asked) - Date.parse(headers.date ?? '')) / 1000;
  return Number.isFinite(seconds) ? Math.max(seconds, 0) : null;
}

export class PipelineError extends Error {
  override readonly name = 'PipelineError';

  constructor(
    readonly failure: Failure,
    options?: { cause?: unknown },
  ) {
    super(failure.message, options);
  }
}

/** Turns anything thrown into a `Failure`; what nobody classified is `internal`, and its text stays in the log only. */
export function toFailure(error: unknown): Failure {
  if (error instanceof PipelineError) return error.failure;
  return {
    kind: 'internal',
    message: 'Something unexpected went wrong inside Autoposter.',
    side: 'ours',
    nextAction: 'Look at the server log for this item; it is tried again by itself.',
    detail: { error: error instanceof Error ? error.name : typeof error },
  };
}
