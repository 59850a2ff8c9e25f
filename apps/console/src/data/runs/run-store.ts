import { useSyncExternalStore } from 'react';

/** Something long that somebody started here and that goes on while they look at other screens. */
export interface Run {
  id: number;
  /** What is done, such as "DMCA protection". */
  title: string;
  total: number;
  done: number;
  failed: number;
  /** Milliseconds since 1970. */
  startedAt: number;
  /** What is in work right now. */
  detail?: string | undefined;
  /** Stops after what is in work; absent where the run cannot be stopped. */
  cancel?: (() => void) | undefined;
  cancelling: boolean;
  endedAt: number | null;
}

export interface RunHandle {
  id: number;
  progress: (change: Partial<Pick<Run, 'done' | 'failed' | 'total' | 'detail' | 'cancelling'>>) => void;
  /** Whether somebody asked to stop. */
  cancelled: () => boolean;
  end: () => void;
}

export interface NewRun {
  title: string;
  total: number;
  cancel?: () => void;
  startedAt?: number;
}

/** Milliseconds that the result of a run stays. */
const RESULT_MS = 8_000;

let runs: readonly Run[] = [];
let last = 0;
const listeners = new Set<() => void>();

const put = (next: readonly Run[]): void => {
  runs = next;
  for (const listener of listeners) listener();
};

const change = (id: number, part: Partial<Run>): void => put(runs.map((run) => (run.id === id ? { ...run, ...part } : run)));

/**
 * Shows a run in the bar at the bottom of every screen. `cancel` is called once when somebody stops it; a run that asks `cancelled()` between
 * two files gives `() => undefined`.
 */
export function startRun({ title, total, cancel, startedAt = Date.now() }: NewRun): RunHandle {
  last += 1;
  const id = last;
  put([...runs, { id, title, total, done: 0, failed: 0, startedAt, cancel, cancelling: false, endedAt: null }]);
  return {
    id,
    progress: (part) => change(id, part),
    cancelled: () => runs.find((run) => run.id === id)?.cancelling === true,
    end: () => {
      change(id, { endedAt: Date.now(), detail: undefined });
      setTimeout(() => dismissRun(id), RESULT_MS);
    },
  };
}

export function cancelRun(id: number): void {
  const run = runs.find((entry) => entry.id === id);
  if (run?.cancel === undefined || run.cancelling) return;
  change(id, { cancelling: true });
  run.cancel();
}

export const dismissRun = (id: number): void => put(runs.filter((run) => run.id !== id));

export const readRuns = (): readonly Run[] => runs;

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export const useRuns = (): readonly Run[] => useSyncExternalStore(subscribe, readRuns);

/** Seconds that are left at the pace so far, or `null` before there is a pace. */
export const secondsLeft = (run: Pick<Run, 'done' | 'failed' | 'total' | 'startedAt'>, now: number): number | null => {
  const finished = run.done + run.failed;
  if (finished === 0 || finished >= run.total) return null;
  return Math.max(1, Math.round(((now - run.startedAt) / finished / 1000) * (run.total - finished)));
};
