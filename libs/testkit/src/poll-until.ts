import { setTimeout as pause } from 'node:timers/promises';

/** Waits until `look` answers something true or an expectation in it holds; its last failure is told after `timeoutMs`. */
export async function pollUntil<T>(look: () => Promise<T> | T, timeoutMs = 10_000): Promise<T> {
  const until = performance.now() + timeoutMs;
  for (;;) {
    let failure: unknown;
    try {
      const value = await look();
      if (value !== false && value !== null && value !== undefined) return value;
      failure = new Error('it did not come about');
    } catch (error) {
      failure = error;
    }
    if (performance.now() > until) throw failure;
    await pause(20);
  }
}
