import {
  COLLECT_STAGE,
  FETCH_WORK_STAGE,
  isItemStage,
  type ItemStage,
  REGISTER_STAGE,
  type Stage,
  type FailureKind,
} from '@autoposter/contracts';
import { failureOf, ITEM_FLOW, PipelineError } from '@autoposter/domain';
import { isCheckpoint } from '@autoposter/job-engine';
import type { StageJob, UnitOfWork } from '@autoposter/persistence';

type ReplayResult = { outcome: 'replayed'; job: StageJob } | { outcome: 'refused'; reason: string };

/** Requests a dead job again with a full attempt and wait budget. Finished steps keep their journaled output; the item becomes active again. */
export async function replayDeadJob(uow: UnitOfWork, jobId: string, { actor }: { actor: string }): Promise<ReplayResult> {
  const dead = await uow.jobs.find(jobId);
  if (dead?.state !== 'dead') {
    return { outcome: 'refused', reason: `Only failed jobs can be replayed; this one is ${dead?.state ?? 'gone'}.` };
  }
  if (!isItemStage(dead.stage)) {
    const instead = INSTEAD[dead.stage] ?? 'put the post into the queue again';
    return { outcome: 'refused', reason: `A ${dead.stage} job cannot be replayed; ${instead}.` };
  }
  const { resumeFrom = dead.stage } = dead.failure ?? {};
  if (resumeFrom !== dead.stage) {
    return {
      outcome: 'refused',
      reason: `The file that ${dead.stage} works on is damaged; retry the post, which starts again at ${resumeFrom}.`,
    };
  }
  const item = await uow.items.findForUpdate(dead.subjectId);
  if (item?.sourceRemovedAt) return { outcome: 'refused', reason: failureOf('item_removed_at_source').message };
  const state = ITEM_FLOW.activeStates[dead.stage];
  // a job that died before its stage could record it leaves the item in its active state
  const stoppedHere = item !== null && (item.state === state || (item.state === 'failed' && item.failedStage === dead.stage));
  if (!stoppedHere) {
    return { outcome: 'refused', reason: `The post is no longer stopped at ${dead.stage}; it is ${item?.state ?? 'gone'}.` };
  }
  const job = await uow.jobs.replay(jobId, Object.keys(dead.journal).filter(isCheckpoint));
  if (job === null) return { outcome: 'refused', reason: `This post is already being processed by ${dead.stage}.` };
  const patch = { failedStage: null };
  const moved = await uow.items.transition(item.id, { fromVersion: item.version, from: item.state, to: state, patch });
  if (!moved) throw new Error('a locked item was changed concurrently');
  uow.outbox.request([job]);
  uow.history.append({
    type: `${dead.stage}.requested`,
    subjectId: dead.subjectId,
    itemId: item.id,
    stage: dead.stage,
    state,
    correlationId: job.correlationId,
    actor,
  });
  return { outcome: 'replayed', job };
}

/** What is done instead of a replay. */
const INSTEAD: Partial<Record<Stage, string>> = {
  [COLLECT_STAGE]: 'run the subreddit again',
  [FETCH_WORK_STAGE]: 'fetch the work of the claim again under Rights',
  [REGISTER_STAGE]: 'upload the file of the claim again under Rights',
};

/** Failures of work on a missing or damaged file. */
const DAMAGED_INPUT: readonly FailureKind[] = ['corrupt_media', 'integrity', 'not_found'];

/**
 * Runs work on a file that the stage `madeBy` stored. If the file itself is the problem, a retry would fail again: the failure then says
 * that a retry resumes from `madeBy`.
 */
export async function withResumeFrom<T>(madeBy: ItemStage, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof PipelineError) || !DAMAGED_INPUT.includes(error.failure.kind)) throw error;
    throw new PipelineError({ ...error.failure, resumeFrom: madeBy }, { cause: error });
  }
}
