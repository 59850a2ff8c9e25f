import { defineStage } from '@autoposter/job-engine';
import { collectCommit } from './collect.commit';
import { applyFilters } from './steps/apply-filters.step';
import { dropClaimed } from './steps/drop-claimed.step';
import { dropKnown } from './steps/drop-known.step';
import { listPosts, type CollectInput } from './steps/list-posts.step';

/** Lists a subreddit through Reddit's official API and takes what its filters let through. */
export const collectStage = defineStage({
  name: 'collect',
  limits: { timeoutMs: 2 * 60_000, slots: 2, slotsForPeople: 1 },
  async load(uow, job): Promise<CollectInput | null> {
    const run = await uow.runs.find(job.subjectId);
    const subreddit = run === null ? null : await uow.subreddits.find(run.subredditId);
    return run === null || subreddit === null ? null : { run, subreddit };
  },
  steps: [listPosts, dropKnown, dropClaimed, applyFilters],
  commit: collectCommit,
});
