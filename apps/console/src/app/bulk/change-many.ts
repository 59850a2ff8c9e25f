import { errorText } from '../../data/http/client';
import { startRun } from '../../data/runs/run-store';
import type { Undo, UndoStep } from '../../data/undo/undo';
import { plural } from '../../ui/format';
import { notify } from '../../ui/notifications';

const CONCURRENCY = 2;
/** Number of items from which a progress bar is shown. */
const PROGRESS_FROM = 6;

export interface ManyChange<T> {
  title: string;
  /** Changes one item and returns the steps that undo it. */
  one: (item: T) => Promise<readonly UndoStep[]>;
  done: (items: number) => string;
  failed: (message: string) => string;
  refresh: Undo['refresh'];
}

/** Starts the entries in order, `concurrency` at a time. */
export async function forEachConcurrently<T>(entries: readonly T[], concurrency: number, work: (entry: T) => Promise<void>): Promise<void> {
  const rest = [...entries];
  const worker = async () => {
    for (let entry = rest.shift(); entry !== undefined; entry = rest.shift()) await work(entry);
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
}

/** Undo steps are stored as JSON, so the route is reduced to method and path. */
const serializable = ({ route: { method, path }, ...step }: UndoStep): UndoStep => ({ ...step, route: { method, path } });

/** Changes each item with a request of its own, then shows one notification with undo, and one per distinct error. */
export async function changeMany<T>(items: readonly T[], { title, one, done, failed, refresh }: ManyChange<T>): Promise<void> {
  const bar = items.length >= PROGRESS_FROM ? startRun({ title, total: items.length }) : null;
  const steps: UndoStep[] = [];
  const failures = new Map<string, number>();
  let [changed, failedItems] = [0, 0];
  await forEachConcurrently(items, CONCURRENCY, async (item) => {
    if (bar?.cancelled() === true) return;
    await one(item).then(
      (undoSteps) => {
        changed += 1;
        steps.push(...undoSteps.map(serializable));
      },
      (error: unknown) => {
        failedItems += 1;
        failures.set(errorText(error), (failures.get(errorText(error)) ?? 0) + 1);
      },
    );
    bar?.progress({ done: changed, failed: failedItems });
  });
  bar?.end();
  if (changed > 0) notify.undoable(done(changed), { steps, refresh });
  for (const [message, times] of failures) notify.failure(failed(times > 1 ? `${message} (${plural(times, 'post')})` : message));
}
