import { errorText } from '../../data/http/client';
import { startRun } from '../../data/runs/run-store';
import type { Undo, UndoStep } from '../../data/undo/undo';
import { plural } from '../../ui/format';
import { notify } from '../../ui/notifications';

/** Calls in flight while many posts are changed. */
const ABREAST = 2;
/** From here on the bar at the bottom tells how far it is. */
const LONG_FROM = 6;

export interface ManyChange<T> {
  title: string;
  /** Makes the change and answers the calls that take it back, in their order. */
  one: (post: T) => Promise<readonly UndoStep[]>;
  done: (posts: number) => string;
  failed: (message: string) => string;
  refresh: Undo['refresh'];
}

/** Works on all entries, `abreast` at a time, in their order. */
export async function forEachConcurrently<T>(entries: readonly T[], abreast: number, work: (entry: T) => Promise<void>): Promise<void> {
  const rest = [...entries];
  const lane = async () => {
    for (let entry = rest.shift(); entry !== undefined; entry = rest.shift()) await work(entry);
  };
  await Promise.all(Array.from({ length: abreast }, lane));
}

/** A way back is kept as text over a reload; a call is its method and path. */
const plain = ({ route: { method, path }, ...step }: UndoStep): UndoStep => ({ ...step, route: { method, path } });

/** Changes posts with a call each, then tells in one notice what came of it and how all of it is taken back; each failure is named once. */
export async function changeMany<T>(posts: readonly T[], { title, one, done, failed, refresh }: ManyChange<T>): Promise<void> {
  const bar = posts.length >= LONG_FROM ? startRun({ title, total: posts.length, cancel: () => undefined }) : null;
  const steps: UndoStep[] = [];
  const failures = new Map<string, number>();
  let [ended, changed] = [0, 0];
  await forEachConcurrently(posts, ABREAST, async (post) => {
    if (bar?.cancelled() === true) return;
    await one(post).then(
      (back) => {
        changed += 1;
        steps.push(...back.map(plain));
      },
      (error: unknown) => failures.set(errorText(error), (failures.get(errorText(error)) ?? 0) + 1),
    );
    ended += 1;
    bar?.progress({ done: ended, failed: ended - changed });
  });
  bar?.end();
  if (changed > 0) notify.undoable(done(changed), { steps, refresh });
  for (const [message, times] of failures) notify.failure(failed(times > 1 ? `${message} (${plural(times, 'post')})` : message));
}
