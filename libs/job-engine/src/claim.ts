import type { StageFact } from '@autoposter/contracts';
import type { Logger, Metrics } from '@autoposter/observability';
import type { Database, StageJob } from '@autoposter/persistence';
import type { AnyStage } from './define-stage';
import { LostLease } from './lease';

export interface AttemptSettings {
  database: Database;
  /** The name under which this process holds leases. */
  owner: string;
  leaseSeconds: number;
  /** Delay before the first automatic retry. */
  retrySeconds: number;
  /** Parent folder of the attempts' work folders. */
  workRoot: string;
  logger: Logger;
  metrics?: Metrics | undefined;
}

/** Journal entry that marks the stage's `started` as committed. No step may have this name. */
const STARTED = '$started';

/**
 * Returns the input of a claimed job, `null` if its subject no longer needs the stage. On the first attempt, the stage's `started` is committed
 * with it. The claim is committed before, so that an attempt whose input cannot be read counts.
 */
export async function readInput(database: Database, stage: AnyStage, job: StageJob): Promise<unknown> {
  const { started } = stage.commit;
  if (started === undefined || STARTED in job.journal) return stage.load(database.read, job);
  return database.unitOfWork(async (uow) => {
    const input: unknown = await stage.load(uow, job);
    if (input === null) return null;
    if (!(await uow.jobs.journal(job, STARTED, true))) throw new LostLease('the job was taken before it started');
    await started.call(stage.commit, uow, input, job);
    uow.history.append(eventOf(job, `${stage.name}.started`));
    return input;
  });
}

export const eventOf = <Type extends StageFact | 'stage.pending' | 'stage.retrying'>(job: StageJob, type: Type) => ({
  type,
  subjectId: job.subjectId,
  itemId: job.itemId,
  stage: job.stage,
  correlationId: job.correlationId,
  causationId: job.causationId,
  traceparent: job.traceparent,
});
