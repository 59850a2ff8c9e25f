import { type Failure, FAILURE_POLICY, type FailureKind, type RetryRule, secondsUntilRetry } from '@autoposter/domain';
import type { JobEnd } from '@autoposter/persistence';
import { backoffSeconds } from './retry';

/** Where the outside system names no time to come back, in seconds. */
const DEFAULT_WAIT_SECONDS: Partial<Record<FailureKind, number>> = { rate_limited: 60, quota_exceeded: 3600 };
const LONGEST_WAIT_SECONDS = 26 * 3600;
const PROMISE = /(?:nothing: )?it is (?:tried|fetched) again by itself/i;

export interface AttemptsSoFar {
  attempts: number;
  maxAttempts: number;
}

/** What a failure means for its job: again after a pause, wait for a date without losing an attempt, or dead. `now` is of the database clock. */
export function decideFailure(
  failure: Failure,
  job: AttemptsSoFar,
  now: Date,
  firstRetrySeconds: number,
  rule: RetryRule = FAILURE_POLICY[failure.kind],
): Exclude<JobEnd, { state: 'done' | 'cancelled' | 'released' }> {
  switch (rule) {
    case 'never':
      return { state: 'dead', failure };
    case 'backoff':
      if (job.attempts >= job.maxAttempts) return { state: 'dead', failure: givenUp(failure, job.attempts) };
      return { state: 'retrying', inSeconds: backoffSeconds(job.attempts, firstRetrySeconds), failure };
    case 'wait': {
      const seconds = secondsUntilRetry(failure, now) ?? DEFAULT_WAIT_SECONDS[failure.kind] ?? 60;
      return { state: 'waiting', inSeconds: Math.min(Math.max(seconds, 1), LONGEST_WAIT_SECONDS), reason: failure.message, cause: failure };
    }
  }
}

/** What was written for a passing trouble promises another try; the last one has to say that a person makes the next. */
function givenUp(failure: Failure, attempts: number): Failure {
  const tries = attempts === 1 ? 'it was tried once' : `it was tried ${attempts} times`;
  const said = failure.nextAction.replace(PROMISE, `${tries}; try it again by hand once the cause is gone`);
  return { ...failure, nextAction: said.charAt(0).toUpperCase() + said.slice(1) };
}
