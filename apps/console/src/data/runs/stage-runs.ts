import type { Overview } from '@autoposter/contracts';
import { useEffect } from 'react';
import { useOverview } from '../status/use-overview';
import { startRun, type RunHandle } from './run-store';

export type RunStage = 'dmca' | 'ai';

interface StageRun {
  stage: RunStage;
  total: number;
  startedAt: number;
  failedBefore: number;
}

const KEY = 'autoposter.stage-runs';
export const RUN_TITLES: Record<RunStage, string> = { dmca: 'DMCA protection', ai: 'AI captions' };
const followed = new Map<RunStage, { run: StageRun; handle: RunHandle }>();

/** Kept with the tab, so that the bar is still there after the page was loaded again. */
function store(): void {
  try {
    sessionStorage.setItem(KEY, JSON.stringify([...followed.values()].map(({ run }) => run)));
  } catch {
    // Without storage the bar ends with the page; the run goes on.
  }
}

function restore(): void {
  try {
    for (const run of JSON.parse(sessionStorage.getItem(KEY) ?? '[]') as StageRun[]) if (!followed.has(run.stage)) add(run);
  } catch {
    // Nothing that could be read.
  }
}

function add(run: StageRun): void {
  followed.get(run.stage)?.handle.end();
  followed.set(run.stage, { run, handle: startRun({ title: RUN_TITLES[run.stage], total: run.total, startedAt: run.startedAt }) });
}

/** Follows a run over all ready files that the server has just taken on. */
export function followStageRun(stage: RunStage, total: number, failedBefore: number): void {
  if (total === 0) return;
  add({ stage, total, startedAt: Date.now(), failedBefore });
  store();
}

/** Brings the runs to where the rooms are; `readAt` is when they were read, in milliseconds since 1970. */
export function feedStageRuns(rooms: Overview['rooms'], readAt: number): void {
  for (const [stage, { run, handle }] of followed) {
    if (readAt <= run.startedAt) continue;
    const left = Math.min(run.total, rooms[stage].running);
    const failed = Math.min(run.total - left, Math.max(0, rooms[stage].failed - run.failedBefore));
    handle.progress({ done: run.total - left - failed, failed });
    if (left > 0) continue;
    handle.end();
    followed.delete(stage);
    store();
  }
}

/** Follows the runs over all files for as long as the shell is on the screen. */
export function useStageRuns(): void {
  const { data, dataUpdatedAt } = useOverview();
  useEffect(restore, []);
  useEffect(() => {
    if (data !== undefined) feedStageRuns(data.rooms, dataUpdatedAt);
  }, [data, dataUpdatedAt]);
}
