import { COLLECT_STAGE } from '@autoposter/contracts';
import { failureOf, nextRun } from '@autoposter/domain';
import type { CollectRun, Subreddit, UnitOfWork } from '@autoposter/persistence';
import { requestStage } from '@autoposter/job-engine';

/** Who asks for the runs of the schedule. */
export const PLANNER = 'clock';

const ABANDONED = failureOf('run_lost', { retried: false });

/** Opens a run and asks for it; `null` while another run of the subreddit is open. The interval counts from now. */
export async function requestCollect(uow: UnitOfWork, subreddit: Subreddit, actor: string): Promise<CollectRun | null> {
  await uow.runs.failAbandoned(subreddit.id, ABANDONED);
  const run = await uow.runs.create({ subredditId: subreddit.id, requestedBy: actor });
  if (!run) return null;
  const now = await uow.now();
  if (subreddit.isActive) await uow.subreddits.patch(subreddit.id, { nextRunAt: nextRun(now, subreddit.intervalMinutes, now) });
  await requestStage(uow, {
    stage: COLLECT_STAGE,
    subjectId: run.id,
    itemId: null,
    key: subreddit.id,
    actor,
    forPerson: actor !== PLANNER,
  });
  return run;
}
