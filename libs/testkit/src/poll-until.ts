import { setTimeout as pause } from 'node:timers/promises';

/**
 * Polls until `check` returns something other than `false`, `null` or `undefined` without throwing. After `timeoutMs` it throws the last
 * error of `check`.
 */
export async function pollUntil<T>(check: () => Promise<T> | T, timeoutMs = 10_000, what = 'the condition'): Promise<T> {
  const until = performance.now() + timeoutMs;
  for (;;) {
    let failure: unknown;
    try {
      const value = await check();
      if (value !== false && value !== null && value !== undefined) return value;
      failure = new Error(`not within ${timeoutMs} ms: ${what}`);
    } catch (error) {
      failure = error;
    }
    if (performance.now() > until) throw failure;
    await pause(20);
  }
}
