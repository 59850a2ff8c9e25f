import type { UncheckedPolicy } from '@autoposter/contracts';
import {
  changeFailure,
  type ContainerState,
  type CopyrightCheck,
  copyrightFailure,
  type Failure,
  FAILURE_POLICY,
  failureOf,
  judgeRights,
  type RightsCheck,
  rightsCheckText,
} from '@autoposter/domain';
import { explainContainerError } from '@autoposter/instagram';
import { type StepContext, type StepResult, fail, wait, waitingSince } from '@autoposter/job-engine';
import type { PublishAttempt } from '@autoposter/persistence';

export interface PollSchedule {
  /** Longest interval between two polls of a container that is not ready, in seconds; Meta advises one a minute. */
  containerPollSeconds: number;
}

export type ContainerVerdict =
  | { is: 'ready' | 'in-work' | 'published' }
  /** The container is unusable; a new one may succeed. */
  | { is: 'spent'; reason: string }
  | { is: 'refused'; failure: Failure };

/** New containers of an attempt after one that failed for a passing reason. */
const NEW_CONTAINERS = 1;

/** Whether a new container may be made after `earlier` failed ones of the same attempt. */
export const mayPrepareAgain = (earlier: number): boolean => earlier < NEW_CONTAINERS;

/** What the state of a container means, after `earlier` failed ones of the same attempt. */
export function judgeContainer({ status, message, copyright }: ContainerState, earlier: number): ContainerVerdict {
  if (copyright?.matchesFound) return { is: 'refused', failure: copyrightFailure(copyright) };
  switch (status) {
    case 'FINISHED':
      return { is: 'ready' };
    case 'IN_PROGRESS':
      return { is: 'in-work' };
    case 'PUBLISHED':
      return { is: 'published' };
    case 'EXPIRED':
      // a container expires after a day, such as during a long pause, so the number of new ones is not limited
      return { is: 'spent', reason: 'The prepared media expired before it was published; it is prepared anew.' };
    case 'ERROR': {
      const failure = explainContainerError(message);
      if (FAILURE_POLICY[failure.kind] === 'never') return { is: 'refused', failure };
      // the platform could not fetch the file, or lost it: its documentation advises to retry with a new container
      return mayPrepareAgain(earlier) ? { is: 'spent', reason: failure.message } : { is: 'refused', failure: triedTwice(failure) };
    }
  }
}

/** What the disappearance of a container that was never published means. */
export function judgeMissing(earlier: number): Extract<ContainerVerdict, { is: 'spent' | 'refused' }> {
  if (mayPrepareAgain(earlier)) return { is: 'spent', reason: 'Instagram does not find the prepared media any more; it is prepared anew.' };
  return { is: 'refused', failure: failureOf('media_lost_twice') };
}

const triedTwice = (failure: Failure): Failure => changeFailure(failure, { kind: 'upstream_rejected', action: 'post_again_check_media' });

/** Large reels take about ten minutes; processing that takes longer than this never ends. */
const MAX_HOURS = 2;
const HOUR_MS = 3_600_000;

/** An image or a short reel is ready within seconds; each further check doubles the total wait, up to the interval that Meta recommends. */
const FIRST_CHECK_SECONDS = 5;

/** Schedules the next check of the container, until the platform's time limit since the first check is over; then a person is informed. */
export async function stillInWork(
  context: Pick<StepContext, 'checkpoint' | 'saveCheckpoint' | 'now'>,
  { containerPollSeconds }: PollSchedule,
  reason: string,
): Promise<StepResult<never>> {
  const since = await waitingSince(context);
  const waitedMs = context.now.getTime() - since.getTime();
  if (waitedMs > MAX_HOURS * HOUR_MS) return fail(failureOf('container_stuck', { fields: { hours: MAX_HOURS } }));
  return wait(Math.min(Math.max(Math.round(waitedMs / 1000), FIRST_CHECK_SECONDS), containerPollSeconds), reason);
}

export interface RightsTools {
  /** What happens to a post whose copyright check has no result. */
  policy(): Promise<UncheckedPolicy>;
  keep(attemptId: string, check: RightsCheck | null): Promise<void>;
}

/** Between two checks of a post that an administrator has to decide about. */
const HELD_SECONDS = 300;

/**
 * Waits while the platform's copyright check of a video of the post has no result. `checks` are those of its videos; pictures have none.
 * `null` once the post may be published.
 */
export async function awaitRights(
  attempt: PublishAttempt,
  checks: readonly (CopyrightCheck | null)[],
  rights: RightsTools,
  { containerPollSeconds }: PollSchedule,
  now: Date,
) {
  const { id, rightsCheck: known } = attempt;
  const policy = checks.length === 0 ? 'hold' : await rights.policy();
  const open = checks.map((one) => judgeRights(one, known, policy, now)).filter((check) => check !== null);
  const check = open.find(({ held }) => held) ?? open[0];
  if (check === undefined) {
    await forgetCheck(attempt, rights);
    return null;
  }
  if (check.state !== known?.state || check.held !== known.held) await rights.keep(id, check);
  return wait(check.held ? HELD_SECONDS : containerPollSeconds, rightsCheckText(check));
}

/** The queue shows a kept check; that a person released the post stays. */
export async function forgetCheck({ id, rightsCheck }: PublishAttempt, rights: RightsTools): Promise<void> {
  if (rightsCheck !== null && rightsCheck.releasedBy === undefined) await rights.keep(id, null);
}
