import { planQueue, type QueueSettings } from '@autoposter/domain';
import type { QueueItem, UnitOfWork } from '@autoposter/persistence';
import { v7 as uuidv7 } from 'uuid';
import { takeQueueTurn } from './on-the-way';
import { groundOf, toPlan } from './planning-ground';

/**
 * Gives waiting items their slots while the queue runs; pinned ones keep theirs. Answers how many changed. Safe to repeat: without a
 * change nothing is written.
 */
export async function planSlots(uow: UnitOfWork, settings: QueueSettings): Promise<number> {
  if (!settings.running) return 0;
  await takeQueueTurn(uow);
  let changed = 0;
  for (const { item, slot } of await movesOf(uow, settings, await uow.queue.lockWaiting())) {
    const { id, status, version: fromVersion } = item;
    const patch = { scheduledFor: slot };
    const moved =
      status === 'pending'
        ? await uow.queue.transition(id, { fromVersion, from: 'pending', to: 'scheduled', patch })
        : await uow.queue.patchWaiting(id, patch);
    if (moved) changed += 1;
  }
  if (changed > 0) uow.history.append({ type: 'queue.changed', subjectId: uuidv7(), state: 'planned' });
  return changed;
}

/** Whether planning would change anything by now: looks as often as it likes, for it locks and writes nothing. */
export async function needsPlanning(uow: UnitOfWork, settings: QueueSettings): Promise<boolean> {
  return settings.running && (await movesOf(uow, settings, await uow.queue.listWaiting())).length > 0;
}

/** Items whose slot is not, or no longer, the one that the plan gives them. */
async function movesOf(
  uow: UnitOfWork,
  settings: QueueSettings,
  waiting: readonly QueueItem[],
): Promise<{ item: QueueItem; slot: Date }[]> {
  if (waiting.length === 0) return [];
  const { ground, free } = await groundOf(uow, waiting);
  const slots = new Map(planQueue(settings, ground, free.map(toPlan)).map(({ id, slot }) => [id, slot]));
  return free.flatMap((item) => {
    const slot = slots.get(item.id);
    const stands = slot === undefined || (item.status === 'scheduled' && item.scheduledFor?.getTime() === slot.getTime());
    return stands ? [] : [{ item, slot }];
  });
}
