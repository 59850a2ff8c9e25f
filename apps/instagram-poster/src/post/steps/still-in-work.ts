import { failureOf } from '@autoposter/domain';
import { fail, wait, waitingSince, type StepContext, type StepResult } from '@autoposter/job-engine';
import type { PollPace } from './judge-container';

/** Large reels take some ten minutes; what takes longer than this does not come to an end. */
const LONGEST_HOURS = 2;
const HOUR_MS = 3_600_000;

/** An image or a short reel is ready within seconds; each further look waits as long again as all before it, up to the pace that Meta advises. */
const FIRST_LOOK_SECONDS = 5;

/** Another look after a while, until the platform has had its time since the first one; then a person is told. */
export async function stillInWork(
  context: Pick<StepContext, 'checkpoint' | 'saveCheckpoint' | 'now'>,
  { containerPollSeconds }: PollPace,
  reason: string,
): Promise<StepResult<never>> {
  const since = await waitingSince(context);
  const waitedMs = context.now.getTime() - since.getTime();
  if (waitedMs > LONGEST_HOURS * HOUR_MS) return fail(failureOf('container_stuck', { fields: { hours: LONGEST_HOURS } }));
  return wait(Math.min(Math.max(Math.round(waitedMs / 1000), FIRST_LOOK_SECONDS), containerPollSeconds), reason);
}
