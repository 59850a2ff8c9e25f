import type { FailureKind } from '@autoposter/contracts';
import { changeFailure, type Failure, FAILURE_POLICY, type RetryRule, secondsUntilRetry } from '@autoposter/domain';
import type { JobEnd, StageJob } from '@autoposter/persistence';

/** Seconds to wait where the external system names no time. */
const DEFAULT_WAIT_SECONDS: Partial<Record<FailureKind, number>> = { rate_limited: 60, quota_exceeded: 3600 };
const MAX_WAIT_SECONDS = 26 * 3600;
/** Longest pause between two automatic attempts. */
export const MAX_PAUSE_SECONDS = 3600;
/** Pauses grow with the outage between these, so that many waiting jobs do not keep the workers busy. */
const OUTAGE_PAUSE_SECONDS = { min: 30, max: 600 };
/** Since the first attempt of the job. Longer than an outage; a failure of this one job alone ends it then. */
const MAX_OUTAGE_SECONDS = 24 * 3600;

/** What a failure means for its job: retry after a pause, outlast an outage or wait for a date without losing an attempt, or dead. `now` is the database clock. */
export function decideFailure(
  failure: Failure,
  job: Pick<StageJob, 'attempts' | 'maxAttempts' | 'startedAt'>,
  now: Date,
  firstRetrySeconds: number,
  rule: RetryRule = FAILURE_POLICY[failure.kind],
): Exclude<JobEnd, { state: 'done' | 'cancelled' | 'released' }> {
  switch (rule) {
    case 'never':
      return { state: 'dead', failure: givenUp(failure, job.attempts) };
    case 'outage': {
      const { min, max } = OUTAGE_PAUSE_SECONDS;
      const seconds = (now.getTime() - (job.startedAt ?? now).getTime()) / 1000;
      if (seconds > MAX_OUTAGE_SECONDS) return decideFailure(failure, job, now, firstRetrySeconds, 'backoff');
      return { state: 'retrying', inSeconds: Math.min(Math.max(seconds / 4, min), max), failure, counts: false };
    }
    case 'backoff': {
      if (job.attempts >= job.maxAttempts) return { state: 'dead', failure: givenUp(failure, job.attempts) };
      const askedSeconds = Math.min(secondsUntilRetry(failure, now) ?? 0, MAX_PAUSE_SECONDS);
      return { state: 'retrying', inSeconds: Math.max(backoffSeconds(job.attempts, firstRetrySeconds), askedSeconds), failure };
    }
    case 'wait': {
      const seconds = secondsUntilRetry(failure, now) ?? DEFAULT_WAIT_SECONDS[failure.kind] ?? 60;
      return { state: 'waiting', inSeconds: Math.min(Math.max(seconds, 1), MAX_WAIT_SECONDS), reason: failure.message, cause: failure };
    }
  }
}

/**
 * Seconds before attempt number `attempt + 1`: between 10 % and 100 % of `first × 4^(attempt − 1)`. The jitter spreads jobs that failed
 * together. `random` is in [0, 1).
 */
export function backoffSeconds(attempt: number, firstSeconds: number, random: number = Math.random()): number {
  const ceiling = Math.min(MAX_PAUSE_SECONDS, firstSeconds * 4 ** Math.max(0, attempt - 1));
  return ceiling * (0.1 + 0.9 * random);
}

/** The failure of a dead job: one of a kind that is retried no longer promises a retry. */
export const givenUp = (failure: Failure, attempts: number): Failure =>
  FAILURE_POLICY[failure.kind] === 'never' ? failure : changeFailure(failure, { attempts });
