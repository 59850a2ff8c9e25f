import { FETCH_STAGE, FULL_AUTOMATION, ITEM_STAGES, type AcceptedItem, type AutoProcessStage, type ItemStage } from '@autoposter/contracts';
import {
  addReviewReasons,
  ITEM_FLOW,
  type Failure,
  type ItemState,
  nextStage,
  renderReviewReasons,
  type Trigger,
} from '@autoposter/domain';
import { requestStage } from '@autoposter/job-engine';
import type { ContentItem, QueueItem, StageJob, UnitOfWork } from '@autoposter/persistence';
import { enqueue, publishedBefore } from './enqueue';

export interface AdvanceRequest {
  actor: string;
  options?: Record<string, unknown>;
  correlationId?: string;
  causationId?: string | null;
  /** Whether a person waits for the stage; default: true for a pasted link and for a request of a person. */
  forPerson?: boolean;
  /** As for `requestStage`. */
  burstPlace?: number;
  /** Start of the stage, with the reason to wait; default: now. */
  dueAt?: Date;
  waitReason?: string;
  /** The item is not stored yet: it is inserted in the state that it enters. */
  isNew?: boolean;
  /** Fields of the item to change in the same write. */
  patch?: Partial<ContentItem>;
  /** INSTAGRAM_HASHTAG_LIMIT, for entering the queue. */
  maxHashtags?: number;
}

type AdvanceResult =
  | { outcome: 'entered'; stage: ItemStage; state: ItemState; job: StageJob }
  | { outcome: 'queued'; state: 'queued'; queueItem: QueueItem }
  | { outcome: 'waiting'; state: ItemState }
  /** The item's state does not allow it; `reason` is shown to the user. */
  | { outcome: 'refused'; reason: string }
  /** A concurrent writer changed the item first, or the source post of a new item is known: nothing was written. */
  | { outcome: 'lost' };

/** Why a person's request for an item cannot be met now. The edge renders it. */
export class ItemRefusal extends Error {
  override readonly name = 'ItemRefusal';

  constructor(
    readonly code: 'unknown_item' | 'conflict',
    message: string,
  ) {
    super(message);
  }
}

export const changedMeanwhile = (): Error => new ItemRefusal('conflict', 'This post was changed at the same time; please try again.');

/** The item, locked. Throws `ItemRefusal` if it is unknown or deleted. */
export async function lockItem(uow: UnitOfWork, id: string): Promise<ContentItem> {
  const item = await uow.items.findForUpdate(id);
  if (!item || item.state === 'deleted') throw new ItemRefusal('unknown_item', 'There is no such post.');
  return item;
}

/** Moves an item for a person. Throws `ItemRefusal` if a concurrent writer changed it first. */
export async function moveItem(uow: UnitOfWork, item: ContentItem, to: ItemState, patch?: Partial<ContentItem>): Promise<void> {
  if (!(await move(uow, item, to, patch))) throw changedMeanwhile();
}

/** Requests a stage for a person. Throws `ItemRefusal` with the reason if the item cannot enter it now. */
export async function requestItemStage(
  uow: UnitOfWork,
  item: ContentItem,
  wants: ItemStage,
  request: AdvanceRequest,
): Promise<AcceptedItem> {
  return { id: item.id, ...assertAdvanced(await advance(uow, item, { by: 'person', wants }, request)) };
}

/** The new state and the job. Throws `ItemRefusal` if the item did not advance. */
export function assertAdvanced(moved: AdvanceResult): { state: string; jobId?: string } {
  if (moved.outcome === 'refused') throw new ItemRefusal('conflict', moved.reason);
  if (moved.outcome === 'lost') throw changedMeanwhile();
  return moved.outcome === 'entered' ? { state: moved.state, jobId: moved.job.id } : { state: moved.state };
}

/** Moves an item to its next stage, after a stage or on request. The only place that requests a next stage. Updates `item` in place. */
export async function advance(uow: UnitOfWork, item: ContentItem, trigger: Trigger, request: AdvanceRequest): Promise<AdvanceResult> {
  const moved = await advanceItem(uow, item, trigger, request);
  // an item that is processed after all leaves the log of skipped posts
  if (moved.outcome !== 'refused' && moved.outcome !== 'lost') await uow.skipped.resolve(item);
  return moved;
}

async function advanceItem(uow: UnitOfWork, item: ContentItem, trigger: Trigger, request: AdvanceRequest): Promise<AdvanceResult> {
  const next = nextStage({ ...item, ...request.patch }, trigger);
  if ('refuse' in next) return { outcome: 'refused', reason: next.refuse.message };
  if ('wait' in next)
    return (await move(uow, item, next.state, request.patch)) ? { outcome: 'waiting', state: next.state } : { outcome: 'lost' };
  if (next.enter === 'queue') return enterQueue(uow, item, trigger, request);
  const stage = next.enter;
  const { step, after } = transitionTo(item, next.state, { failedStage: null, ...request.patch });
  const requested = await requestStage(
    uow,
    {
      stage,
      subjectId: item.id,
      itemId: item.id,
      key: item.id,
      actor: request.actor,
      state: next.state,
      forPerson: request.forPerson ?? (trigger.by === 'person' || item.collectRunId === null),
      burstPlace: request.burstPlace,
      options: request.options,
      correlationId: request.correlationId,
      causationId: request.causationId,
      dueAt: request.dueAt,
      waitReason: request.waitReason,
    },
    request.isNew ? uow.items.insertionStatement({ ...item, ...after }) : uow.items.transitionStatement(item.id, step),
  );
  if (!requested.accepted)
    return requested.job === null
      ? { outcome: 'lost' }
      : { outcome: 'refused', reason: `This post is already being processed by ${stage}.` };
  uow.items.rememberState(item.id, next.state);
  Object.assign(item, after);
  return { outcome: 'entered', stage, state: next.state, job: requested.job };
}

/** A caption that breaks a limit or needs review stops the item before the queue, for an administrator to review. */
async function enterQueue(uow: UnitOfWork, item: ContentItem, trigger: Trigger, request: AdvanceRequest): Promise<AdvanceResult> {
  if (request.patch && Object.keys(request.patch).length > 0) {
    await uow.items.patch(item.id, request.patch);
    Object.assign(item, request.patch);
  }
  const queued = await enqueue(uow, item, {
    immediate: false,
    unattended: trigger.by !== 'person',
    actor: request.actor,
    maxHashtags: request.maxHashtags,
    correlationId: request.correlationId,
  });
  if (queued.outcome === 'queued') return { outcome: 'queued', state: 'queued', queueItem: queued.queueItem };
  if (queued.outcome === 'lost') return { outcome: 'lost' };
  if (trigger.by === 'person') return { outcome: 'refused', reason: renderReviewReasons(queued.reasons) };
  const patch = { needsReview: true, reviewReasons: addReviewReasons(item.reviewReasons, queued.reasons) };
  return (await move(uow, item, 'ready', patch)) ? { outcome: 'waiting', state: 'ready' } : { outcome: 'lost' };
}

async function move(uow: UnitOfWork, item: ContentItem, to: ItemState, patch: Partial<ContentItem> = {}): Promise<boolean> {
  const { step, after } = transitionTo(item, to, patch);
  const moved = await uow.items.transition(item.id, step);
  if (moved) Object.assign(item, after);
  return moved;
}

/** The compare-and-set step, and the item's fields after it. */
function transitionTo(item: ContentItem, to: ItemState, patch: Partial<ContentItem>) {
  const { id: _id, state: _state, version: _version, ...fields } = patch;
  const step = { fromVersion: item.version, from: item.state, to, patch: fields };
  return { step, after: { ...fields, state: to, version: item.version + 1 } };
}

/** Marks an item as failed at a stage and records the error; `false` if a concurrent writer changed it. The caller writes the event. */
export async function failItem(uow: UnitOfWork, item: ContentItem, stage: ItemStage, failure: Failure, step: string): Promise<boolean> {
  if (!(await move(uow, item, 'failed', { failedStage: stage }))) return false;
  await recordError(uow, item.id, stage, failure, step);
  return true;
}

/** Adds an entry to the item's errors, independent of its state. */
export async function recordError(uow: UnitOfWork, itemId: string, stage: ItemStage, failure: Failure, step: string): Promise<void> {
  await uow.items.addError(itemId, {
    stage,
    // an unclassified failure is only useful with the step in which it happened
    message: failure.kind === 'internal' ? `${failure.message} (${step})` : failure.message,
    timestamp: (await uow.now()).toISOString(),
    nextAction: failure.nextAction,
    kind: failure.kind,
    ...(failure.resumeFrom === undefined ? {} : { resumeFrom: failure.resumeFrom }),
  });
}

/**
 * A person pasted the link of an item that already exists; requires the lock of the item. A removed item starts again (`revived`), marked for
 * review if it is published; any other continues if the new request goes further than its setting (`revived` is `null`).
 */
export async function resubmit(
  uow: UnitOfWork,
  item: ContentItem,
  stopsAt: AutoProcessStage,
  actor: string,
): Promise<{ revived: AdvanceResult | null }> {
  if (item.state === 'deleted' || item.state === 'discarded') {
    const published = await publishedBefore(uow, item.id);
    const review = { needsReview: published !== null, reviewReasons: published === null ? [] : [published] };
    const reset = { autoProcessStage: stopsAt, processingErrors: [], retryCount: 0, ...review };
    await uow.items.patch(item.id, reset);
    return { revived: await advance(uow, Object.assign(item, reset), { by: 'person', wants: FETCH_STAGE }, { actor }) };
  }
  if (stopsAt !== FULL_AUTOMATION.value || item.autoProcessStage === FULL_AUTOMATION.value) return { revived: null };
  await uow.items.patch(item.id, { autoProcessStage: stopsAt });
  item.autoProcessStage = stopsAt;
  await continueToNextStage(uow, item, actor);
  return { revived: null };
}

/** Advances an item that waits in a state where its new setting no longer stops. */
async function continueToNextStage(uow: UnitOfWork, item: ContentItem, actor: string): Promise<void> {
  const stage = ITEM_STAGES.find((one) => ITEM_FLOW.doneStates[one] === item.state);
  if (stage === undefined) return;
  const step = nextStage(item, { by: 'stage', finished: stage });
  if ('enter' in step) await advance(uow, item, { by: 'person', wants: step.enter }, { actor });
}
