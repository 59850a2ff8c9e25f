import { Store, useStore } from '../../store/store';

/** A long-running action that continues while the administrator uses other screens. */
export interface Run {
  id: number;
  /** For example "DMCA protection". */
  title: string;
  total: number;
  /** Successful items; failed ones are not included. */
  done: number;
  failed: number;
  /** Milliseconds since 1970. */
  startedAt: number;
  detail?: string | undefined;
  /** Stops after the current item; `null` when the run cannot be cancelled. */
  cancel: (() => void) | null;
  cancelling: boolean;
  endedAt: number | null;
}

export interface RunHandle {
  id: number;
  progress: (change: Partial<Pick<Run, 'done' | 'failed' | 'total' | 'detail' | 'cancelling'>>) => void;
  cancelled: () => boolean;
  end: () => void;
}

interface NewRun {
  title: string;
  total: number;
  /** Called once; by default the run only polls `cancelled()`. `null` when it cannot be cancelled. */
  cancel?: (() => void) | null;
  startedAt?: number;
}

/** How long a finished run stays visible. */
const RESULT_MS = 8_000;

const runs = new Store<readonly Run[]>([]);
let last = 0;

const change = (id: number, part: Partial<Run>): void => runs.set(runs.get().map((run) => (run.id === id ? { ...run, ...part } : run)));

/** Shows a run in the bar at the bottom. */
export function startRun({ title, total, cancel = () => undefined, startedAt = Date.now() }: NewRun): RunHandle {
  last += 1;
  const id = last;
  runs.set([...runs.get(), { id, title, total, done: 0, failed: 0, startedAt, cancel, cancelling: false, endedAt: null }]);
  return {
    id,
    progress: (part) => change(id, part),
    cancelled: () => runs.get().find((run) => run.id === id)?.cancelling === true,
    end: () => {
      change(id, { endedAt: Date.now(), detail: undefined });
      setTimeout(() => dismissRun(id), RESULT_MS);
    },
  };
}

export function cancelRun(id: number): void {
  const run = runs.get().find((entry) => entry.id === id);
  if (!run?.cancel || run.cancelling) return;
  change(id, { cancelling: true });
  run.cancel();
}

export const dismissRun = (id: number): void => runs.set(runs.get().filter((run) => run.id !== id));

export const readRuns = runs.get;

export const useRuns = (): readonly Run[] => useStore(runs);

/** Estimated remaining seconds, or `null` before the first item is finished. */
export const secondsLeft = (run: Pick<Run, 'done' | 'failed' | 'total' | 'startedAt'>, now: number): number | null => {
  const finished = run.done + run.failed;
  if (finished === 0 || finished >= run.total) return null;
  return Math.max(1, Math.round(((now - run.startedAt) / finished / 1000) * (run.total - finished)));
};
