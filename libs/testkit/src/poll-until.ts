import { setTimeout as pause } from 'node:timers/promises';

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
  const until = performance.now() + timeoutMs;
  const late = `not within ${timeoutMs} ms: ${what ?? 'the condition'}`;
  for (;;) {
    let failure: unknown;
    try {
      const value = await check();
      if (value !== false && value !== null && value !== undefined) return value;
      failure = new Error(late);
    } catch (error) {
      failure =
        what === undefined ? error : new Error(`${late}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
    }
    if (performance.now() > until) throw failure;
    await pause(intervalMs);
  }
}
