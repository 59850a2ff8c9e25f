import { ConflictException, Injectable, NotFoundException } from '@nestjs/common';
import type { CancelledRun, ErrorCode } from '@autoposter/contracts';
import { ITEM_FLOW } from '@autoposter/domain';
import { Database, type StageRun, type UnitOfWork } from '@autoposter/persistence';

@Injectable()
export class RunsService {
  constructor(private readonly database: Database) {}

  /** One transaction per item, so that no worker waits for the whole run. Items claimed by a worker in between continue. */
  async cancel(id: string, actor: string): Promise<CancelledRun> {
    const run = await this.database.unitOfWork(async (uow) => {
      const found = await uow.stageRuns.find(id);
      if (found === null) throw new NotFoundException('There is no such run.');
      if ((await uow.stageRuns.countOpen(found)) === 0)
        throw new ConflictException({ message: 'This run has already finished.', code: 'run_finished' satisfies ErrorCode });
      await uow.audit.record({ actor, action: 'runs.cancel', subject: id, detail: { stage: found.stage } });
      return found;
    });
    const { stageRuns } = this.database.read;
    let returned = 0;
    for (const itemId of await stageRuns.unstarted(run))
      if (await this.database.unitOfWork((uow) => cancelUnstarted(uow, run, itemId, actor))) returned += 1;
    return { returned, running: await stageRuns.countOpen(run) };
  }
}

async function cancelUnstarted(uow: UnitOfWork, run: StageRun, itemId: string, actor: string): Promise<boolean> {
  const item = await uow.items.findForUpdate(itemId);
  if (item?.state !== ITEM_FLOW.activeStates[run.stage] || !(await uow.stageRuns.cancelUnstarted(run, itemId))) return false;
  const to = ITEM_FLOW.waitingStates[run.stage];
  if (!(await uow.items.transition(itemId, { fromVersion: item.version, from: item.state, to })))
    throw new Error(`locked item ${itemId} was moved by another transaction`);
  uow.history.append({
    type: 'stage.cancelled',
    subjectId: itemId,
    itemId,
    stage: run.stage,
    state: to,
    correlationId: run.id,
    actor,
  });
  return true;
}
