import { ConflictException, NotFoundException } from '@nestjs/common';
import type { AcceptedItem, ItemStage } from '@autoposter/contracts';
import type { ItemState, Trigger } from '@autoposter/domain';
import type { ContentItem, UnitOfWork } from '@autoposter/persistence';
import { advance, type AdvanceResult } from '@autoposter/workflow';

/** Who asks, and what the stage is to know. */
export interface Asking {
  actor: string;
  options?: Record<string, unknown>;
}

/** The item, locked; what was removed counts as not there. */
export async function lockItem(uow: UnitOfWork, id: string): Promise<ContentItem> {
  const item = await uow.items.findForUpdate(id);
  if (!item || item.state === 'deleted') throw new NotFoundException('There is no such post.');
  return item;
}

export const changedMeanwhile = (): Error => new ConflictException('This post was changed at the same moment; please try again.');

/** Moves a locked item; 409 where somebody else has moved it all the same. */
export async function moveItem(uow: UnitOfWork, item: ContentItem, to: ItemState, patch?: Partial<ContentItem>): Promise<void> {
  const { id, version: fromVersion, state: from } = item;
  if (!(await uow.items.transition(id, { fromVersion, from, to, ...(patch ? { patch } : {}) }))) throw changedMeanwhile();
}

/** Asks for a stage in a person's name; 409 with the reason where the item may not enter it now. */
export async function askForStage(uow: UnitOfWork, item: ContentItem, wants: ItemStage, asking: Asking): Promise<AcceptedItem> {
  const trigger: Trigger = { by: 'person', wants };
  const moved = await advance(uow, item, trigger, asking);
  return { id: item.id, ...accepted(moved) };
}

/** What became of an ask, or the 409 that says why nothing did. */
export function accepted(moved: AdvanceResult): { state: string; jobId?: string } {
  if (moved.outcome === 'refused') throw new ConflictException(moved.reason);
  if (moved.outcome === 'lost') throw changedMeanwhile();
  return { state: moved.state, ...(moved.outcome === 'entered' ? { jobId: moved.job.id } : {}) };
}
