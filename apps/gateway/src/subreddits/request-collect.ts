import { nextRun } from '@autoposter/domain';
import type { CollectRun, Subreddit, UnitOfWork } from '@autoposter/persistence';
import { requestStage } from '@autoposter/stage-runner';

/** Opens a run and asks for it; `null` while another run of the subreddit is open. The interval counts from now. */
export async function requestCollect(uow: UnitOfWork, subreddit: Subreddit, actor: string): Promise<CollectRun | null> {
  const run = await uow.runs.create({ subredditId: subreddit.id, askedBy: actor });
  if (!run) return null;
  const now = await uow.now();
  if (subreddit.isActive) await uow.subreddits.patch(subreddit.id, { nextRunAt: nextRun(now, subreddit.intervalMinutes, now) });
  await requestStage(uow, { stage: 'collect', subjectId: run.id, itemId: null, key: subreddit.id, actor });
  return run;
}
