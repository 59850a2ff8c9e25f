import { FETCH_STAGE, FULL_AUTOMATION, ITEM_STAGES, type AutoProcessStage, type ItemStage } from '@autoposter/contracts';
import { ITEM_FLOW, type Failure, type ItemState, nextStage, type Trigger } from '@autoposter/domain';
import { requestStage } from '@autoposter/job-engine';
import type { ContentItem, QueueItem, StageJob, UnitOfWork } from '@autoposter/persistence';
import { enqueue } from './enqueue';

export interface AdvanceRequest {
  actor: string;
  options?: Record<string, unknown>;
  correlationId?: string;
  causationId?: string | null;
  /** Whether a person waits for the stage; unless given, that is so for a pasted link and for what a person asks for. */
  forPerson?: boolean;
  /** The stage starts then instead of at once; `waitReason` says why. */
  dueAt?: Date;
  waitReason?: string;
  /** Fields of the item that change with this move. */
  patch?: Partial<ContentItem>;
  /** INSTAGRAM_HASHTAG_LIMIT, for a move into the queue. */
  maxHashtags?: number;
}

export type AdvanceResult =
  | { outcome: 'entered'; stage: ItemStage; state: ItemState; job: StageJob }
  | { outcome: 'queued'; state: 'queued'; queueItem: QueueItem }
  | { outcome: 'waiting'; state: ItemState }
  /** The item is not at that door; a sentence that can be shown. */
  | { outcome: 'refused'; reason: string }
  /** Somebody else moved the item first: nothing is written. */
  | { outcome: 'lost' };

/**
 * Moves an item on after a stage, or because somebody asks for one: the one place where a next stage is requested. Changes `item` in
 * place to what was written.
 */
export async function advance(uow: UnitOfWork, item: ContentItem, trigger: Trigger, ask: AdvanceRequest): Promise<AdvanceResult> {
  const moved = await moveOn(uow, item, trigger, ask);
  // the log of skipped posts does not name a post that is in work after all
  if (moved.outcome !== 'refused' && moved.outcome !== 'lost') await uow.skipped.resolve(item);
  return moved;
}

async function moveOn(uow: UnitOfWork, item: ContentItem, trigger: Trigger, ask: AdvanceRequest): Promise<AdvanceResult> {
  const next = nextStage({ ...item, ...ask.patch }, trigger);
  if ('refuse' in next) return { outcome: 'refused', reason: next.refuse };
  if ('wait' in next)
    return (await move(uow, item, next.state, ask.patch)) ? { outcome: 'waiting', state: next.state } : { outcome: 'lost' };
  if (next.enter === 'queue') return intoQueue(uow, item, trigger, ask);
  const stage = next.enter;
  const { step, after } = stepTo(item, next.state, { failedStage: null, ...ask.patch });
  const asked = await requestStage(
    uow,
    {
      stage,
      subjectId: item.id,
      itemId: item.id,
      key: item.id,
      actor: ask.actor,
      state: next.state,
      forPerson: ask.forPerson ?? (trigger.by === 'person' || item.collectRunId === null),
      ...(ask.options ? { options: ask.options } : {}),
      ...(ask.correlationId ? { correlationId: ask.correlationId } : {}),
      ...(ask.dueAt ? { dueAt: ask.dueAt } : {}),
      ...(ask.waitReason ? { waitReason: ask.waitReason } : {}),
      causationId: ask.causationId ?? null,
    },
    uow.items.transitionStatement(item.id, step, stage),
  );
  if (!asked.accepted)
    return asked.job === null ? { outcome: 'lost' } : { outcome: 'refused', reason: `This post is already in work at ${stage}.` };
  uow.items.rememberState(item.id, next.state);
  Object.assign(item, after);
  return { outcome: 'entered', stage, state: next.state, job: asked.job };
}

/** A text that cannot go out, or not without review, stops the item before the queue, for an administrator to look at. */
async function intoQueue(uow: UnitOfWork, item: ContentItem, trigger: Trigger, ask: AdvanceRequest): Promise<AdvanceResult> {
  if (ask.patch && Object.keys(ask.patch).length > 0) {
    await uow.items.patch(item.id, ask.patch);
    Object.assign(item, ask.patch);
  }
  const queued = await enqueue(uow, item, {
    immediate: false,
    unattended: trigger.by !== 'person',
    actor: ask.actor,
    ...(ask.maxHashtags === undefined ? {} : { maxHashtags: ask.maxHashtags }),
    ...(ask.correlationId ? { correlationId: ask.correlationId } : {}),
  });
  if (queued.outcome === 'queued') return { outcome: 'queued', state: 'queued', queueItem: queued.queueItem };
  if (queued.outcome === 'lost') return { outcome: 'lost' };
  if (trigger.by === 'person') return { outcome: 'refused', reason: queued.reasons.join(' ') };
  const patch = { needsReview: true, reviewReasons: [...new Set([...item.reviewReasons, ...queued.reasons])] };
  return (await move(uow, item, 'ready', patch)) ? { outcome: 'waiting', state: 'ready' } : { outcome: 'lost' };
}

async function move(uow: UnitOfWork, item: ContentItem, to: ItemState, patch: Partial<ContentItem> = {}): Promise<boolean> {
  const { step, after } = stepTo(item, to, patch);
  const moved = await uow.items.transition(item.id, step);
  if (moved) Object.assign(item, after);
  return moved;
}

/** The write, and what it makes of the item. */
function stepTo(item: ContentItem, to: ItemState, patch: Partial<ContentItem>) {
  const { id: _id, state: _state, version: _version, ...fields } = patch;
  const step = { fromVersion: item.version, from: item.state, to, patch: fields };
  return { step, after: { ...fields, state: to, version: item.version + 1 } };
}

/**
 * A stage gave up on an item: `failed` with the stage and a line in its errors. `false` where somebody else moved the item first. The
 * event belongs to whoever ends the job.
 */
export async function failItem(uow: UnitOfWork, item: ContentItem, stage: ItemStage, failure: Failure, step: string): Promise<boolean> {
  if (!(await move(uow, item, 'failed', { failedStage: stage }))) return false;
  await recordError(uow, item.id, stage, failure, step);
  return true;
}

/** Adds a line to the errors of an item, whatever becomes of the item. */
export async function recordError(uow: UnitOfWork, itemId: string, stage: ItemStage, failure: Failure, step: string): Promise<void> {
  await uow.items.addError(itemId, {
    stage,
    // what nobody classified is only of use with the place where it happened
    message: failure.kind === 'internal' ? `${failure.message} (${step})` : failure.message,
    timestamp: (await uow.now()).toISOString(),
    nextAction: failure.nextAction,
    kind: failure.kind,
    ...(failure.resumeFrom === undefined ? {} : { resumeFrom: failure.resumeFrom }),
  });
}

/**
 * A person asks by its address for a post that was here before; `item` is locked. A removed one is wanted back and starts anew, one that is
 * here goes on where more is asked for than before. `revived` is how the way back began, `null` where the post was not removed.
 */
export async function resubmit(
  uow: UnitOfWork,
  item: ContentItem,
  stopsAt: AutoProcessStage,
  actor: string,
): Promise<{ revived: AdvanceResult | null }> {
  if (item.state === 'deleted' || item.state === 'discarded') {
    const anew = { autoProcessStage: stopsAt, processingErrors: [], retryCount: 0, needsReview: false, reviewReasons: [] };
    await uow.items.patch(item.id, anew);
    return { revived: await advance(uow, Object.assign(item, anew), { by: 'person', wants: FETCH_STAGE }, { actor }) };
  }
  if (stopsAt !== FULL_AUTOMATION.value || item.autoProcessStage === FULL_AUTOMATION.value) return { revived: null };
  await uow.items.patch(item.id, { autoProcessStage: stopsAt });
  item.autoProcessStage = stopsAt;
  await openDoor(uow, item, actor);
  return { revived: null };
}

/** Lets an item go on that waits at a door which its setting no longer names. */
async function openDoor(uow: UnitOfWork, item: ContentItem, actor: string): Promise<void> {
  const stage = ITEM_STAGES.find((one) => ITEM_FLOW.doneStates[one] === item.state);
  if (stage === undefined) return;
  const step = nextStage(item, { by: 'stage', finished: stage });
  if ('enter' in step) await advance(uow, item, { by: 'person', wants: step.enter }, { actor });
}
