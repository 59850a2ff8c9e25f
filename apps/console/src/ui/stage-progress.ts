import {
  CAPTION_STAGE,
  type Download,
  ITEM_STAGES,
  type ItemStage,
  QUEUE_STEP,
  STAGE_CATALOGUE,
  type StageCatalogue,
} from '@autoposter/contracts';
import { ITEM_FLOW, itemFlowOf } from '@autoposter/domain';

export type SegmentState = 'todo' | 'running' | 'waiting' | 'done' | 'failed';

interface ItemProgress {
  state?: string | undefined;
  status: string;
  failedStage?: ItemStage | null | undefined;
  waiting?: { until: string | null; reason: string } | null | undefined;
}

export interface StageProgress {
  segments: readonly { name: string; state: SegmentState }[];
  /** Where the item is, in one line. */
  sentence: string;
}

type Progress = [done: number, at: SegmentState, sentence: string];

/** The segments of the progress bar, and the progress of an item by its state or by the stage that failed. */
export function progressTablesOf(catalogue: StageCatalogue) {
  const items = catalogue.filter((entry) => entry.subject === 'item');
  const { waitingStates, activeStates, readyState } = itemFlowOf(catalogue);
  const last = items.length;
  const states: Record<string, Progress> = {
    [readyState]: [last, 'waiting', 'Ready in Processed Content'],
    [QUEUE_STEP.state]: [last, 'waiting', 'In the Instagram queue'],
    posting: [last + 1, 'running', 'Publishing'],
    posted: [last + 2, 'done', 'Posted'],
    discarded: [last, 'todo', 'Discarded'],
    deleted: [0, 'todo', 'Deleted'],
  };
  const failedAt: Record<string, Progress> = {};
  for (const [index, { name, role, progress, facts }] of items.entries()) {
    states[waitingStates[name] ?? ''] = [index, 'waiting', progress.waiting];
    states[activeStates[name] ?? ''] = [index, 'running', progress.active];
    failedAt[name] = [index, 'failed', progress.failed];
    if (role === 'checkRights') states['blocked'] = [index, 'failed', facts['blocked'] ?? progress.failed];
  }
  return { names: [...items.map(({ label }) => label), QUEUE_STEP.label, 'Posted'], states, failedAt };
}

const { names, states: PROGRESS, failedAt: FAILED_AT } = progressTablesOf(STAGE_CATALOGUE);
export const STAGE_NAMES: readonly string[] = names;

const UNKNOWN: Progress = [0, 'todo', 'Unknown'];
const BY_STATUS: Record<string, Progress> = {
  pending: PROGRESS['accepted'] ?? UNKNOWN,
  processing: [0, 'running', 'Processing'],
  downloaded: [1, 'waiting', 'Downloaded'],
  completed: [ITEM_STAGES.length, 'waiting', 'Captioned'],
};

function progressOf(item: ItemProgress): Progress {
  if (item.state === 'failed' || (item.state === undefined && item.status === 'failed'))
    return FAILED_AT[item.failedStage ?? ITEM_STAGES[0]] ?? UNKNOWN;
  return PROGRESS[item.state ?? ''] ?? BY_STATUS[item.status] ?? UNKNOWN;
}

/** The progress of an item through the pipeline: done, current and remaining segments. */
export function stageProgressOf(item: ItemProgress): StageProgress {
  const [done, at, sentence] = progressOf(item);
  const isWaiting = item.waiting !== null && item.waiting !== undefined && at === 'running';
  return {
    sentence,
    segments: STAGE_NAMES.map((name, index) => {
      if (index < done) return { name, state: 'done' as const };
      return { name, state: index > done ? ('todo' as const) : isWaiting ? ('waiting' as const) : at };
    }),
  };
}

/** Whether the caption may be written manually: captioning has not started, failed, or waits for a quota. */
export const acceptsManualCaption = ({ state, failedStage, waiting }: Pick<Download, 'state' | 'failedStage' | 'waiting'>): boolean =>
  state === ITEM_FLOW.waitingStates[CAPTION_STAGE] ||
  (state === ITEM_FLOW.activeStates[CAPTION_STAGE] && waiting !== null && waiting !== undefined) ||
  (state === 'failed' && failedStage === CAPTION_STAGE);
