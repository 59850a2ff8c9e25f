import { api, type Overview, type ProcessAllResponse } from '@autoposter/contracts';
import { useEffect } from 'react';
import { RUN_TEXT } from '../../text/shell.text';
import { call, CallError, errorText } from '../http/client';
import { useOverview } from '../status/use-status';
import { startRun, type RunHandle } from './run-store';
import { useQueryClient } from '@tanstack/react-query';
import { keys } from '../http/cache';

export type RunStage = 'dmca' | 'ai';

interface StageRun {
  stage: RunStage;
  total: number;
  startedAt: number;
  failedBefore: number;
  /** Its name at the server, by which it can be cancelled. */
  runId?: string | undefined;
  /** Files that went back to where they waited when it was cancelled. */
  takenBack?: number;
}

interface Followed {
  run: StageRun;
  handle: RunHandle;
  /** The server was asked to cancel and has not answered: what left the room meanwhile may be done or taken back. */
  asking?: boolean;
}

/** What the server answers where the last file was faster. */
const FINISHED = 409;
const KEY = 'autoposter.stage-runs';
export const RUN_TITLES: Record<RunStage, string> = { dmca: 'DMCA protection', ai: 'AI captions' };
const followed = new Map<RunStage, Followed>();
let lastFed: Parameters<typeof feedStageRuns> | null = null;

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
  const { stage, total, startedAt, runId } = run;
  const cancel = runId === undefined ? {} : { cancel: () => void cancelAtServer(stage, runId) };
  followed.set(stage, { run, handle: startRun({ title: RUN_TITLES[stage], total, startedAt, ...cancel }) });
}

/** What is in work goes on, and the bar with it until the last has ended. */
async function cancelAtServer(stage: RunStage, runId: string): Promise<void> {
  const entry = followed.get(stage);
  if (entry?.run.runId !== runId) return;
  entry.asking = true;
  try {
    const { data } = await call(api.runs.cancel, { params: { id: runId } });
    entry.run.takenBack = data.takenBack;
    store();
  } catch (error) {
    const over = error instanceof CallError && error.status === FINISHED;
    entry.handle.progress({ cancelling: false, ...(over ? {} : { detail: RUN_TEXT.cancelFailed(errorText(error)) }) });
  }
  entry.asking = false;
  if (lastFed !== null) feedStageRuns(...lastFed);
}

/** Follows a run over all ready files that the server has just taken on. */
export function followStageRun(stage: RunStage, total: number, failedBefore: number, runId?: string): void {
  if (total === 0) return;
  add({ stage, total, startedAt: Date.now(), failedBefore, runId });
  store();
}

/** Brings the runs to where the rooms are; `readAt` is when they were read, in milliseconds since 1970. */
export function feedStageRuns(rooms: Overview['rooms'], readAt: number): void {
  lastFed = [rooms, readAt];
  for (const [stage, { run, handle, asking }] of followed) {
    if (readAt <= run.startedAt || asking === true) continue;
    const total = run.total - (run.takenBack ?? 0);
    const left = Math.min(total, rooms[stage].running);
    const failed = Math.min(total - left, Math.max(0, rooms[stage].failed - run.failedBefore));
    handle.progress({ done: total - left - failed, failed });
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

/** What a run over all ready files does once the server took it on: it shows in the bar at the bottom. */
export function useFollowStageRun(stage: RunStage): (answer: ProcessAllResponse) => void {
  const client = useQueryClient();
  return ({ processed, runId }) => {
    const before = client.getQueryData<Overview>([keys.overview])?.rooms[stage].failed ?? 0;
    followStageRun(stage, processed, before, runId);
    void client.invalidateQueries({ queryKey: [keys.overview] });
  };
}
