import type { ProcessAllResponse, ProcessAllStage } from '@autoposter/contracts';
import { ITEM_FLOW } from '@autoposter/domain';
import type { Database } from '@autoposter/persistence';
import { advance } from '@autoposter/workflow';
import { v7 as uuidv7 } from 'uuid';

interface RunOverAll {
  stage: ProcessAllStage;
  batchSize: number;
  /** Milliseconds between two batches. */
  delayBetweenFiles: number;
  maxFiles: number;
  options: Record<string, unknown>;
  actor: string;
}

/**
 * Asks for a stage for all ready items and answers at once: the first batch is requested now, the others wait for their turn in the
 * database, so that the pace survives a restart. `skipped` counts what was over the limit or went to work meanwhile.
 */
export async function runOverAll(database: Database, run: RunOverAll): Promise<Omit<ProcessAllResponse, 'message'>> {
  const runId = uuidv7();
  const waiting = ITEM_FLOW.waitingStates[run.stage];
  const { itemLists } = database.read;
  const [ready, ids] = await Promise.all([itemLists.countInStates([waiting]), itemLists.idsInState(waiting, run.maxFiles)]);
  await database.read.stageRuns.create({ id: runId, stage: run.stage, startedBy: run.actor });
  let processed = 0;
  for (const id of ids) {
    const delayMs = Math.floor(processed / run.batchSize) * run.delayBetweenFiles;
    const accepted = await database.unitOfWork(async (uow) => {
      const item = await uow.items.findForUpdate(id);
      if (item?.state !== waiting) return false;
      const delayed =
        delayMs === 0
          ? {}
          : {
              dueAt: new Date((await uow.now()).getTime() + delayMs),
              waitReason: 'Waits for its turn in the run over all files.',
              forPerson: false,
            };
      const request = { actor: run.actor, options: run.options, correlationId: runId, ...delayed };
      return (await advance(uow, item, { by: 'person', wants: run.stage }, request)).outcome === 'entered';
    });
    if (accepted) processed += 1;
  }
  // one may have become ready between the two statements
  const total = Math.max(ready, ids.length);
  return { success: true, processed, total, skipped: total - processed, runId };
}
