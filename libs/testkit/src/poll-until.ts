import { setTimeout as pause } from 'node:timers/promises';

/** A turn counts as no more than this: while the whole machine pauses, nothing that is awaited can happen either. */
const MAX_TURN_MS = 1_000;

/**
 * Polls until `check` returns something other than `false`, `null` or `undefined` without throwing. After `timeoutMs` it throws the last
 * error of `check`, prefixed with `what` where that is given.
 */
export async function pollUntil<T>(
  check: () => Promise<T | false | null | undefined> | T | false | null | undefined,
  timeoutMs = 30_000,
  what?: string,
  intervalMs = 20,
): Promise<T> {
  const late = `not within ${timeoutMs} ms: ${what ?? 'the condition'}`;
  let leftMs = timeoutMs;
  for (;;) {
    const startedAt = performance.now();
    let failure: unknown;
    try {
      const value = await check();
      if (value !== false && value !== null && value !== undefined) return value;
      failure = new Error(late);
    } catch (error) {
      failure =
        what === undefined ? error : new Error(`${late}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
    }
    if (leftMs <= 0) throw failure;
    await pause(intervalMs);
    leftMs -= Math.min(performance.now() - startedAt, MAX_TURN_MS);
  }
}
