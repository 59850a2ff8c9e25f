import { api, type Overview, type ProcessAllResponse, type ProcessAllStage, STAGE_FACTS } from '@autoposter/contracts';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { RUN_TEXT } from '../../text/shell.text';
import { keys } from '../http/cache';
import { call, CallError, errorText } from '../http/client';
import { useOverview } from '../status/use-status';
import { type RunHandle, startRun } from './run-store';

interface StageRun {
  stage: ProcessAllStage;
  total: number;
  startedAt: number;
  failedBefore: number;
  /** The server's id of the run, needed to cancel it. */
  runId?: string | undefined;
  /** Items that a cancellation returned to their waiting state. */
  returned?: number;
}

interface FollowedRun {
  run: StageRun;
  handle: RunHandle;
  /** While a cancellation is pending, an item that left the stage may be done or returned. */
  cancelPending?: boolean;
}

const KEY = 'autoposter.stage-runs';
const followed = new Map<ProcessAllStage, FollowedRun>();
let lastUpdate: Parameters<typeof updateStageRuns> | null = null;

/** The progress bar survives a reload of the tab. */
function store(): void {
  try {
    sessionStorage.setItem(KEY, JSON.stringify([...followed.values()].map(({ run }) => run)));
  } catch {
    // Storage is unavailable: a reload loses the bar, not the run.
  }
}

function restore(): void {
  try {
    for (const run of JSON.parse(sessionStorage.getItem(KEY) ?? '[]') as StageRun[]) if (!followed.has(run.stage)) add(run);
  } catch {
    // Storage is unavailable or its content invalid.
  }
}

function add(run: StageRun): void {
  followed.get(run.stage)?.handle.end();
  const { stage, total, startedAt, runId } = run;
  const cancel = runId === undefined ? null : () => void cancelOnServer(stage, runId);
  followed.set(stage, { run, handle: startRun({ title: STAGE_FACTS.processAll[stage].title, total, startedAt, cancel }) });
}

/** Jobs in progress finish; the bar stays until the last one has ended. */
async function cancelOnServer(stage: ProcessAllStage, runId: string): Promise<void> {
  const entry = followed.get(stage);
  if (entry?.run.runId !== runId) return;
  entry.cancelPending = true;
  try {
    const { data } = await call(api.runs.cancel, { params: { id: runId } });
    entry.run.returned = data.returned;
    store();
  } catch (error) {
    const ended = error instanceof CallError && error.detail.code === 'run_finished';
    entry.handle.progress({ cancelling: false, ...(ended ? {} : { detail: RUN_TEXT.cancelFailed(errorText(error)) }) });
  }
  entry.cancelPending = false;
  if (lastUpdate !== null) updateStageRuns(...lastUpdate);
}

/** Shows the progress of a bulk run that the server has accepted. */
export function followStageRun(stage: ProcessAllStage, total: number, failedBefore: number, runId?: string): void {
  if (total === 0) return;
  add({ stage, total, startedAt: Date.now(), failedBefore, runId });
  store();
}

/** Derives progress from the counts per stage; `readAt` is when they were fetched, in milliseconds since 1970. */
export function updateStageRuns(stages: Overview['stages'], readAt: number): void {
  lastUpdate = [stages, readAt];
  for (const [stage, { run, handle, cancelPending }] of followed) {
    if (readAt <= run.startedAt || cancelPending === true) continue;
    const total = run.total - (run.returned ?? 0);
    const left = Math.min(total, stages[stage].running);
    const failed = Math.min(total - left, Math.max(0, stages[stage].failed - run.failedBefore));
    handle.progress({ done: total - left - failed, failed });
    if (left > 0) continue;
    handle.end();
    followed.delete(stage);
    store();
  }
}

export function useStageRuns(): void {
  const { data, dataUpdatedAt } = useOverview();
  useEffect(restore, []);
  useEffect(() => {
    if (data !== undefined) updateStageRuns(data.stages, dataUpdatedAt);
  }, [data, dataUpdatedAt]);
}

export function useFollowStageRun(stage: ProcessAllStage): (response: ProcessAllResponse) => void {
  const client = useQueryClient();
  return ({ processed, runId }) => {
    const failedBefore = client.getQueryData<Overview>([keys.overview])?.stages[stage].failed ?? 0;
    followStageRun(stage, processed, failedBefore, runId);
    void client.invalidateQueries({ queryKey: [keys.overview] });
  };
}
