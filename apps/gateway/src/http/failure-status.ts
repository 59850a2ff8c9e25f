import { secondsUntilRetry, type Failure, type FailureKind } from '@autoposter/domain';

/**
 * A failure of our own making is a 4xx of the caller's request; a provider's own failure is 502, 503 or 429, and never 401, which would
 * sign the user out.
 */
const STATUS: Record<FailureKind, number> = {
  transient: 503,
  rate_limited: 429,
  quota_exceeded: 429,
  not_configured: 503,
  not_authorised: 502,
  not_found: 404,
  not_offered: 422,
  invalid_input: 422,
  conflict: 409,
  upstream_rejected: 502,
  unsupported_media: 422,
  too_large: 413,
  corrupt_media: 422,
  integrity: 502,
  rights_blocked: 409,
  policy: 422,
  unknown_outcome: 409,
  internal: 500,
};

export const statusOfFailure = (failure: Failure): number => STATUS[failure.kind];

/** Whole seconds until another try makes sense, at least 1; `null` where the failure names no time. */
export function retryAfterSeconds(failure: Failure, now: Date): number | null {
  const seconds = secondsUntilRetry(failure, now);
  if (seconds === null) return statusOfFailure(failure) === 429 ? 60 : null;
  return Math.max(1, Math.ceil(seconds));
}
