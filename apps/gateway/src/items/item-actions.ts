import { ConflictException, NotFoundException } from '@nestjs/common';
import type { AcceptedItem, ItemStage } from '@autoposter/contracts';
import type { ItemState, Trigger } from '@autoposter/domain';
import type { ContentItem, UnitOfWork } from '@autoposter/persistence';
import { advance, type AdvanceResult } from '@autoposter/workflow';

export interface StageRequestOptions {
  actor: string;
  options?: Record<string, unknown>;
}

/** The item, locked; 404 if it is unknown or deleted. */
export async function lockItem(uow: UnitOfWork, id: string): Promise<ContentItem> {
  const item = await uow.items.findForUpdate(id);
  if (!item || item.state === 'deleted') throw new NotFoundException('There is no such post.');
  return item;
}

export const changedMeanwhile = (): Error => new ConflictException('This post was changed at the same time; please try again.');

/** 409 if a concurrent writer won. */
export async function moveItem(uow: UnitOfWork, item: ContentItem, to: ItemState, patch?: Partial<ContentItem>): Promise<void> {
  const { id, version: fromVersion, state: from } = item;
  if (!(await uow.items.transition(id, { fromVersion, from, to, ...(patch ? { patch } : {}) }))) throw changedMeanwhile();
}

/** Requests a stage for an administrator; 409 with the reason if the item cannot enter it now. */
export async function requestItemStage(
  uow: UnitOfWork,
  item: ContentItem,
  wants: ItemStage,
  request: StageRequestOptions,
): Promise<AcceptedItem> {
  const trigger: Trigger = { by: 'person', wants };
  const moved = await advance(uow, item, trigger, request);
  return { id: item.id, ...assertAdvanced(moved) };
}

/** The result of an advance, or a 409 with the reason of its refusal. */
export function assertAdvanced(moved: AdvanceResult): { state: string; jobId?: string } {
  if (moved.outcome === 'refused') throw new ConflictException(moved.reason);
  if (moved.outcome === 'lost') throw changedMeanwhile();
  return { state: moved.state, ...(moved.outcome === 'entered' ? { jobId: moved.job.id } : {}) };
}
