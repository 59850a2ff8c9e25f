import { COLLECT_STAGE, isItemStage, type ItemStage } from '@autoposter/contracts';
import { type FailureKind, ITEM_FLOW, PipelineError, REMOVED_AT_SOURCE } from '@autoposter/domain';
import { announce, isCheckpoint } from '@autoposter/job-engine';
import type { StageJob, UnitOfWork } from '@autoposter/persistence';

export type Replayed = { outcome: 'replayed'; job: StageJob } | { outcome: 'refused'; reason: string };

/** A dead job runs again with all its attempts, the time to wait among them, and with the steps it finished before; its item goes back to work. */
export async function replayDeadJob(uow: UnitOfWork, jobId: string, ask: { actor: string }): Promise<Replayed> {
  const dead = await uow.jobs.find(jobId);
  if (dead?.state !== 'dead') {
    return { outcome: 'refused', reason: `Only a run that was given up can be asked for again; this one is ${dead?.state ?? 'gone'}.` };
  }
  if (!isItemStage(dead.stage)) {
    const instead = dead.stage === COLLECT_STAGE ? 'run the subreddit again' : 'put the post into the queue again';
    return { outcome: 'refused', reason: `A run of ${dead.stage} is over for good; ${instead}.` };
  }
  const { resumeFrom = dead.stage } = dead.failure ?? {};
  if (resumeFrom !== dead.stage) {
    return {
      outcome: 'refused',
      reason: `The file that ${dead.stage} works on is damaged; retry the post, which starts again at ${resumeFrom}.`,
    };
  }
  const item = await uow.items.findForUpdate(dead.subjectId);
  if (item?.sourceRemovedAt) return { outcome: 'refused', reason: REMOVED_AT_SOURCE };
  const state = ITEM_FLOW.activeStates[dead.stage];
  // a run that died before its stage could say so leaves the item as if it were still in work
  const stands = item !== null && (item.state === state || (item.state === 'failed' && item.failedStage === dead.stage));
  if (!stands) {
    return { outcome: 'refused', reason: `The post did not stop at ${dead.stage} any more; it is ${item?.state ?? 'gone'}.` };
  }
  const job = await uow.jobs.replay(jobId, Object.keys(dead.journal).filter(isCheckpoint));
  if (job === null) return { outcome: 'refused', reason: `This post is already in work at ${dead.stage}.` };
  const patch = { failedStage: null };
  const moved = await uow.items.transition(item.id, { fromVersion: item.version, from: item.state, to: state, patch });
  if (!moved) throw new Error('a locked item was moved by somebody else');
  await announce(uow, [job]);
  uow.history.append({
    type: `${dead.stage}.requested`,
    subjectId: dead.subjectId,
    itemId: item.id,
    stage: dead.stage,
    state,
    correlationId: job.correlationId,
    actor: ask.actor,
  });
  return { outcome: 'replayed', job };
}

/** What work on a file that is missing or damaged fails with. */
const DAMAGED: readonly FailureKind[] = ['corrupt_media', 'integrity', 'not_found'];

/**
 * Work on a file that the stage `madeBy` stored. Where the file itself is at fault, the same work fails on it again: the failure says that a
 * retry starts at the stage that makes it anew.
 */
export async function withResumeFrom<T>(madeBy: ItemStage, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof PipelineError) || !DAMAGED.includes(error.failure.kind)) throw error;
    throw new PipelineError({ ...error.failure, resumeFrom: madeBy }, { cause: error });
  }
}
