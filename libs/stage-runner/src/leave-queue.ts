import type { UnitOfWork } from '@autoposter/persistence';

/** Takes back the place of an item that waits in the queue. `false` where it has none, or is on its way out already. The item is locked. */
export async function leaveQueue(uow: UnitOfWork, itemId: string): Promise<boolean> {
  const open = await uow.queue.findOpenOf(itemId);
  const place = open && (await uow.queue.findForUpdate(open.id));
  if (place?.status !== 'pending' && place?.status !== 'scheduled') return false;
  const patch = { finishedAt: await uow.now() };
  return uow.queue.transition(place.id, { fromVersion: place.version, from: place.status, to: 'cancelled', patch });
}
