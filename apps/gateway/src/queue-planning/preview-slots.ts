import type { PreviewSlot } from '@autoposter/contracts';
import { explainSlot, nextSlot, planQueue, type QueueSettings, type SlotReason } from '@autoposter/domain';
import type { QueueRow, UnitOfWork } from '@autoposter/persistence';
import { groundOf, toPlan } from './planning-ground';

/**
 * The next slots as the planner would give them now, soonest first: those of waiting posts, then places that are still free. Reads only.
 */
export async function previewSlots(uow: UnitOfWork, settings: QueueSettings, count: number): Promise<PreviewSlot[]> {
  const rows = await uow.queue.waiting();
  const byId = new Map(rows.map((row) => [row.queueItem.id, row]));
  const { ground, free, fixed } = await groundOf(
    uow,
    rows.map((row) => row.queueItem),
  );
  const show = (row: QueueRow | null, at: Date, why: SlotReason): PreviewSlot => ({
    scheduledFor: at.toISOString(),
    queueItemId: row?.queueItem.id ?? null,
    itemId: row?.queueItem.itemId ?? null,
    title: row?.title ?? null,
    priority: row?.queueItem.priority ?? null,
    pinned: why.basis === 'pinned',
    why: {
      basis: why.basis,
      earliestAt: why.earliestAt.toISOString(),
      intervalMinutes: settings.intervalMinutes,
      randomDelaySeconds: Math.round(why.delayMs / 1000),
      blockedSeconds: Math.round(why.blockedMs / 1000),
      text: explainSlot(why, settings.intervalMinutes),
    },
  });
  const planned = planQueue(settings, ground, free.map(toPlan));
  const slots = [
    ...planned.map(({ id, slot, why }) => show(byId.get(id) ?? null, slot, why)),
    ...fixed.flatMap(({ id, scheduledFor: at }) =>
      at === null ? [] : [show(byId.get(id) ?? null, at, { basis: 'pinned', earliestAt: at, delayMs: 0, blockedMs: 0 })],
    ),
  ];
  let after = planned.at(-1)?.slot ?? null;
  while (slots.length < count) {
    const { at, why } = nextSlot(settings, ground, 0, after);
    slots.push(show(null, at, why));
    after = at;
  }
  return slots.sort((a, b) => a.scheduledFor.localeCompare(b.scheduledFor)).slice(0, count);
}
