import type { Database, StageJob } from '@autoposter/persistence';
import type { AnyStage } from './any-stage';
import type { Skipped } from './define-step';
import { faultPoint } from './fault-point';
import { LostLease } from './lost-lease';

export interface IntendedCall {
  step: string;
  /** What the run is about, and what the step will get. */
  input: unknown;
  stepInput: unknown;
  /** The call begins with a whole lease. */
  leaseSeconds: number;
}

/** Takes the transaction back in which it is thrown. */
class LeftOut extends Error {
  constructor(readonly as: Skipped) {
    super(as.details);
  }
}

/**
 * Committed before a call that cannot be taken back; the fence is looked at in the same statement, so that nobody else can be at it.
 * Answers the skip with which the stage refuses the call: then no intent stands.
 */
export async function commitIntent(
  database: Database,
  { commit }: AnyStage,
  job: StageJob,
  { step, input, stepInput, leaseSeconds }: IntendedCall,
): Promise<Skipped | null> {
  faultPoint('intent:before');
  try {
    await database.unitOfWork(async (uow) => {
      if (!(await uow.jobs.intend(job, step, leaseSeconds))) throw new LostLease('the job was taken before the call');
      const refused = await commit.intended?.(uow, input, stepInput, job);
      if (refused) throw new LeftOut(refused);
    });
  } catch (error) {
    if (error instanceof LeftOut) return error.as;
    throw error;
  }
  faultPoint('intent:after');
  return null;
}
