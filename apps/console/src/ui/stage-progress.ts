import type { ItemStage, Download } from '@autoposter/contracts';
import type { ItemState } from '@autoposter/domain';

export const STAGE_NAMES = ['Download', 'DMCA', 'AI', 'Queue', 'Posted'] as const;
export type StageName = (typeof STAGE_NAMES)[number];
export type SegmentState = 'todo' | 'running' | 'waiting' | 'done' | 'failed';

export interface ItemProgress {
  state?: string | undefined;
  status: string;
  failedStage?: ItemStage | null | undefined;
  waiting?: { until: string | null; reason: string } | null | undefined;
}

export interface StageProgress {
  segments: readonly { name: StageName; state: SegmentState }[];
  /** Where the item is, in words. */
  sentence: string;
}

type Progress = [done: number, at: SegmentState, sentence: string];

const PROGRESS: Record<Exclude<ItemState, 'failed'>, Progress> = {
  accepted: [0, 'waiting', 'Waiting for its download'],
  downloading: [0, 'running', 'Downloading'],
  downloaded: [1, 'waiting', 'Waiting for DMCA protection'],
  protecting: [1, 'running', 'In DMCA protection'],
  protected: [2, 'waiting', 'Waiting for its AI caption'],
  captioning: [2, 'running', 'Getting its AI caption'],
  ready: [3, 'waiting', 'Ready in Processed Content'],
  queued: [3, 'waiting', 'In the Instagram queue'],
  posting: [4, 'running', 'Being posted'],
  posted: [5, 'done', 'Posted'],
  blocked: [1, 'failed', 'Stopped by DMCA protection'],
  discarded: [3, 'todo', 'Discarded'],
  deleted: [0, 'todo', 'Deleted'],
};

const BY_STATUS: Record<string, Progress> = {
  pending: PROGRESS.accepted,
  processing: [0, 'running', 'In work'],
  downloaded: [1, 'waiting', 'Downloaded'],
  completed: [3, 'waiting', 'Captioned'],
};

const FAILED_AT: Record<ItemStage, Progress> = {
  download: [0, 'failed', 'Failed at the download'],
  dmca: [1, 'failed', 'Failed at DMCA protection'],
  ai: [2, 'failed', 'Failed at the AI caption'],
};

function progressOf(item: ItemProgress): Progress {
  if (item.state === 'failed' || (item.state === undefined && item.status === 'failed')) return FAILED_AT[item.failedStage ?? 'download'];
  const known = PROGRESS[item.state as keyof typeof PROGRESS] as Progress | undefined;
  return known ?? BY_STATUS[item.status] ?? [0, 'todo', 'Unknown'];
}

/** The item's way through the rooms: what is done, where it is, what is still to come. */
export function stageProgressOf(item: ItemProgress): StageProgress {
  const [done, at, sentence] = progressOf(item);
  const waits = item.waiting !== null && item.waiting !== undefined && at === 'running';
  return {
    sentence,
    segments: STAGE_NAMES.map((name, index) => {
      if (index < done) return { name, state: 'done' as const };
      return { name, state: index > done ? ('todo' as const) : waits ? ('waiting' as const) : at };
    }),
  };
}

/** Whether a person may write the caption in place of a model: none was asked yet, it refused, or it waits for its quota. */
export const acceptsManualCaption = ({ state, failedStage, waiting }: Pick<Download, 'state' | 'failedStage' | 'waiting'>): boolean =>
  state === 'protected' ||
  (state === 'captioning' && waiting !== null && waiting !== undefined) ||
  (state === 'failed' && failedStage === 'ai');
