import type { Stage } from '@autoposter/contracts';
import { requestStage } from '@autoposter/job-engine';
import type { UnitOfWork } from '@autoposter/persistence';

/** Requests a stage of a claimed work. `false` if it is requested already. `forPerson`: an administrator waits for the result. */
export async function requestForClaim(
  uow: UnitOfWork,
  stage: Stage,
  claimId: string,
  { actor, forPerson }: { actor: string; forPerson: boolean },
): Promise<boolean> {
  return (await requestStage(uow, { stage, subjectId: claimId, itemId: null, key: claimId, forPerson, actor })).accepted;
}
