import type { ProcessAllResponse } from '@autoposter/contracts';
import { nextStage, STATE_AFTER } from '@autoposter/domain';
import type { ContentItem, Database, UnitOfWork } from '@autoposter/persistence';
import { STAGE_ATTEMPTS } from '@autoposter/job-engine';
import { advance } from '@autoposter/workflow';
import { v7 as uuidv7 } from 'uuid';
import { idsWaitingIn } from './item-rows';

/** Where a file waits for a stage that can be asked for over all files, and where it goes back to. */
export const DOOR_OF = { dmca: STATE_AFTER.download, ai: STATE_AFTER.dmca } as const;

export interface RunOverAll {
  stage: keyof typeof DOOR_OF;
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
  const ids = await idsWaitingIn(database.sql, DOOR_OF[run.stage]);
  await database.read.stageRuns.create({ id: runId, stage: run.stage, startedBy: run.actor });
  let processed = 0;
  for (const id of ids.slice(0, run.maxFiles)) {
    const delayMs = Math.floor(processed / run.batchSize) * run.delayBetweenFiles;
    const accepted = await database.unitOfWork(async (uow) => {
      const item = await uow.items.findForUpdate(id);
      return item?.state === DOOR_OF[run.stage] && (await take(uow, item, run, runId, delayMs));
    });
    if (accepted) processed += 1;
  }
  return { success: true, processed, total: ids.length, skipped: ids.length - processed, runId };
}

async function take(uow: UnitOfWork, item: ContentItem, run: RunOverAll, runId: string, delayMs: number): Promise<boolean> {
  const trigger = { by: 'person', wants: run.stage } as const;
  const asking = { actor: run.actor, options: run.options, correlationId: runId };
  if (delayMs === 0) return (await advance(uow, item, trigger, asking)).outcome === 'entered';
  const step = nextStage(item, trigger);
  if (!('enter' in step)) return false;
  const moved = await uow.items.transition(item.id, {
    fromVersion: item.version,
    from: item.state,
    to: step.state,
    patch: { failedStage: null },
  });
  if (!moved) return false;
  const now = await uow.now();
  const job = await uow.jobs.create({
    stage: run.stage,
    subjectId: item.id,
    itemId: item.id,
    messageKey: item.id,
    state: 'waiting',
    dueAt: new Date(now.getTime() + delayMs),
    waitReason: 'Waits for its turn in the run over all files.',
    maxAttempts: STAGE_ATTEMPTS[run.stage],
    options: run.options,
    correlationId: runId,
  });
  if (job === null) throw new Error(`item ${item.id} entered ${run.stage} although a job of it is open`);
  uow.history.append({
    type: `${run.stage}.requested`,
    subjectId: item.id,
    itemId: item.id,
    stage: run.stage,
    state: step.state,
    correlationId: runId,
    actor: run.actor,
  });
  return true;
}
