import type { ItemState } from './item-state';
import { STATE_AFTER, STATE_DURING } from './item-state';
import type { AutoProcessStage, ItemStage, ProcessingError } from '@autoposter/contracts';

/** Why an item moves: a stage ended, or a person (or the clock in a person's name) asked for a stage. */
export type Trigger = { by: 'stage'; finished: ItemStage } | { by: 'person'; wants: ItemStage | 'queue' };

export interface ItemPosition {
  state: ItemState;
  autoProcessStage: AutoProcessStage;
  /** Set where a person has to look first: NSFW at the source, a rights flag, a caption that fails policy. */
  needsReview: boolean;
  /** The stage that gave up, while `state` is `failed`. */
  failedStage: ItemStage | null;
  /** Set where the post is gone from its source: its files were deleted here, and nothing may be made of it again. */
  sourceRemovedAt?: Date | null;
  /** Oldest first; the last one may name the stage that a retry starts at. */
  processingErrors?: readonly Pick<ProcessingError, 'stage' | 'resumeFrom'>[];
}

/** Where a failed item starts again: the stage that failed, or the one whose output made it fail. */
export function resumeStage({
  failedStage,
  processingErrors = [],
}: Pick<ItemPosition, 'failedStage' | 'processingErrors'>): ItemStage | null {
  const last = processingErrors.at(-1);
  return last !== undefined && last.stage === failedStage ? (last.resumeFrom ?? failedStage) : failedStage;
}

export type NextStep =
  { enter: ItemStage; state: ItemState } | { enter: 'queue'; state: 'queued' } | { wait: true; state: ItemState } | { refuse: string };

/** How far an item travels by itself: the last stage that runs without being asked. */
const RUNS_BY_ITSELF: Record<AutoProcessStage, readonly (ItemStage | 'queue')[]> = {
  dmcaProtection: ['download'],
  aiCaption: ['download', 'dmca'],
  processedContent: ['download', 'dmca', 'ai'],
  queuePost: ['download', 'dmca', 'ai', 'queue'],
};

const FOLLOWS: Record<ItemStage, ItemStage | 'queue'> = { download: 'dmca', dmca: 'ai', ai: 'queue' };

const MAY_ENTER_FROM: Record<ItemStage | 'queue', readonly ItemState[]> = {
  download: ['accepted', 'failed', 'deleted', 'discarded'],
  dmca: ['downloaded', 'failed', 'blocked'],
  ai: ['protected', 'ready', 'failed'],
  queue: ['ready'],
};

/** What a person can do about a post whose files were deleted with its source. */
export const REMOVED_AT_SOURCE =
  'This post was removed at its source and its files were deleted here; delete it from the list. If it is back at its source, add its link again.';

const DOOR: Record<ItemStage | 'queue', string> = {
  download: 'Only a new, failed or removed post can be downloaded',
  dmca: 'Only a downloaded post can go through DMCA protection',
  ai: 'Only a protected post can get a caption',
  queue: 'Only a post with a caption can go into the queue',
};

/**
 * Decides who enters the next room. A button, the auto-pipeline and a retry all ask here, so that there is one answer.
 * A failed item enters the stage that failed again, or the one whose output made it fail, never one beyond it.
 */
export function nextStage(item: ItemPosition, trigger: Trigger): NextStep {
  if (trigger.by === 'stage') {
    const following = FOLLOWS[trigger.finished];
    const stopsHere = following === 'queue' && item.needsReview;
    if (stopsHere || !RUNS_BY_ITSELF[item.autoProcessStage].includes(following)) {
      return { wait: true, state: STATE_AFTER[trigger.finished] };
    }
    return enter(following);
  }
  if (item.sourceRemovedAt && item.state !== 'deleted') return { refuse: REMOVED_AT_SOURCE };
  const allowed = MAY_ENTER_FROM[trigger.wants].includes(item.state);
  if (!allowed) return { refuse: `${DOOR[trigger.wants]}; this one is ${item.state}.` };
  const resumesAt = resumeStage(item);
  if (item.state === 'failed' && resumesAt !== null && resumesAt !== trigger.wants) {
    if (resumesAt !== item.failedStage)
      return { refuse: `The file that ${item.failedStage} works on is damaged; retry this post from ${resumesAt}.` };
    return { refuse: `This post failed at ${item.failedStage}; run that step again first.` };
  }
  return enter(trigger.wants);
}

function enter(stage: ItemStage | 'queue'): NextStep {
  return stage === 'queue' ? { enter: 'queue', state: 'queued' } : { enter: stage, state: STATE_DURING[stage] };
}
