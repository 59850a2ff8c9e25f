import { planQueue, type QueueSettings } from '@autoposter/domain';
import type { UnitOfWork } from '@autoposter/persistence';
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
  const waiting = await uow.queue.lockWaiting();
  if (waiting.length === 0) return 0;
  const { ground, free } = await groundOf(uow, waiting);
  const planned = planQueue(settings, ground, free.map(toPlan));
  const slots = new Map(planned.map(({ id, slot }) => [id, slot]));
  let changed = 0;
  for (const item of free) {
    const slot = slots.get(item.id);
    if (slot === undefined || (item.status === 'scheduled' && item.scheduledFor?.getTime() === slot.getTime())) continue;
    const moved =
      item.status === 'pending'
        ? await uow.queue.transition(item.id, {
            fromVersion: item.version,
            from: 'pending',
            to: 'scheduled',
            patch: { scheduledFor: slot },
          })
        : await uow.queue.patchWaiting(item.id, { scheduledFor: slot });
    if (moved) changed += 1;
  }
  if (changed > 0) uow.history.append({ type: 'queue.changed', subjectId: uuidv7(), state: 'planned' });
  return changed;
}
