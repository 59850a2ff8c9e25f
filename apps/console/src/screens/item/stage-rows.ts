import {
  ITEM_STAGES,
  PUBLISH_STAGE,
  QUEUE_STEP,
  RIGHTS_STAGE,
  STAGE_FACTS,
  type ContentDetails,
  type ProcessingError,
  type StageRun,
  type TimelineEntry,
} from '@autoposter/contracts';
import type { StatusTone } from '../../theme/tokens';

type RowState = StageRun['state'] | 'todo';

/** One bar of the waterfall. Times in milliseconds; `to` is null while it is unfinished. */
export interface StageRow {
  key: string;
  stage: StageRun['stage'] | 'queue';
  state: RowState;
  from: number | null;
  startedAt: number | null;
  to: number | null;
  attempts: number;
  maxAttempts: number;
  waitReason: string | null;
  dueAt: string | null;
  error: { message: string; nextAction: string | null } | null;
  endings: StageRun['endings'];
}

export const ROW_TONE: Record<RowState, StatusTone> = {
  requested: 'grey',
  running: 'orange',
  waiting: 'blue',
  retrying: 'orange',
  done: 'green',
  dead: 'red',
  cancelled: 'grey',
  todo: 'grey',
};

const ORDER = [...ITEM_STAGES, QUEUE_STEP.name, PUBLISH_STAGE] as const;
const at = (moment: string | null): number | null => (moment === null ? null : Date.parse(moment));
const BARE = { attempts: 0, maxAttempts: 0, waitReason: null, dueAt: null, error: null, endings: [] };

const rowOf = (run: StageRun, index: number): StageRow => ({
  key: `${run.stage}${index}`,
  stage: run.stage,
  state: run.state,
  from: at(run.requestedAt),
  startedAt: at(run.startedAt),
  to: at(run.finishedAt),
  attempts: run.attempts,
  maxAttempts: run.maxAttempts,
  waitReason: run.waitReason,
  dueAt: run.dueAt,
  error: run.failure,
  endings: run.endings,
});

const PUBLISH_REQUESTED = `${PUBLISH_STAGE}.requested`;
const LEAVES_QUEUE = ['item.unqueued', PUBLISH_REQUESTED, 'item.discarded', 'item.deleted', STAGE_FACTS.factOnSkip[RIGHTS_STAGE]];

/** One row per stay in the queue, from being queued to being posted or removed. */
function queueRows(timeline: readonly TimelineEntry[]): StageRow[] {
  return timeline.flatMap((entry, index) => {
    if (entry.type !== 'item.queued') return [];
    const left = timeline.slice(index + 1).find(({ type }) => LEAVES_QUEUE.includes(type));
    const out = left !== undefined && left.type !== PUBLISH_REQUESTED;
    const from = Date.parse(entry.occurredAt);
    const state: RowState = left === undefined ? 'waiting' : out ? 'cancelled' : 'done';
    return [{ ...BARE, key: `queue${index}`, stage: 'queue' as const, state, from, startedAt: from, to: at(left?.occurredAt ?? null) }];
  });
}

/** Attaches an error that no job carries to the last job of its stage. Its message already contains the next action. */
function withErrors(rows: readonly StageRow[], errors: readonly ProcessingError[], failed: boolean): StageRow[] {
  const newest = errors.at(-1);
  if (!failed || newest === undefined || rows.some((row) => row.stage === newest.stage && row.error !== null)) return [...rows];
  const last = rows.findLastIndex((row) => row.stage === newest.stage);
  return rows.map((row, index) => (index === last ? { ...row, state: 'dead', error: { message: newest.message, nextAction: null } } : row));
}

/** All jobs of an item, its stays in the queue, and the stages still to come. */
export function stageRows(item: Pick<ContentDetails, 'stages' | 'timeline' | 'processingErrors' | 'state'>): StageRow[] {
  const runs = [...(item.stages ?? []).map(rowOf), ...queueRows(item.timeline)].sort((a, b) => (a.from ?? 0) - (b.from ?? 0));
  const failed = item.state === 'failed' || item.state === 'blocked';
  const rows = withErrors(runs, item.processingErrors, failed);
  const ended = failed || item.state === 'posted' || item.state === 'discarded' || item.state === 'deleted';
  const furthest = Math.max(-1, ...rows.map((row) => ORDER.indexOf(row.stage as (typeof ORDER)[number])));
  const coming = ended ? [] : ORDER.slice(furthest + 1);
  return [
    ...rows,
    ...coming.map((stage) => ({ ...BARE, key: stage, stage, state: 'todo' as const, from: null, startedAt: null, to: null })),
  ];
}

/** Position of a row in percent of the time from the first to the last event. */
export function barPosition(row: StageRow, rows: readonly StageRow[], now: number): { left: number; waited: number; ran: number } | null {
  if (row.from === null) return null;
  const began = Math.min(...rows.flatMap(({ from }) => from ?? []));
  const ended = Math.max(...rows.map(({ from, to }) => (from === null ? 0 : (to ?? now))));
  const whole = Math.max(1, ended - began);
  const end = row.to ?? now;
  const start = Math.min(end, row.startedAt ?? end);
  const share = (from: number, to: number) => (Math.max(0, to - from) / whole) * 100;
  return { left: share(began, row.from), waited: share(row.from, start), ran: share(start, end) };
}
