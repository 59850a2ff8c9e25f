import { setTimeout as pause } from 'node:timers/promises';

/** Longest pause between two automatic attempts. */
export const LONGEST_PAUSE_SECONDS = 3600;

/**
 * Seconds before attempt number `attempt + 1`: between 10 % and 100 % of `first × 4^(attempt − 1)`. The jitter spreads jobs that failed
 * together. `random` is in [0, 1).
 */
export function backoffSeconds(attempt: number, firstSeconds: number, random: number = Math.random()): number {
  const ceiling = Math.min(LONGEST_PAUSE_SECONDS, firstSeconds * 4 ** Math.max(0, attempt - 1));
  return ceiling * (0.1 + 0.9 * random);
}

const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 2000;

/** Repeats `work` with growing pauses while it fails with an outage and `shouldRetry` is true. Throws any other error and the last one. */
export async function retryDuringOutage<T>(
  work: () => Promise<T>,
  isOutage: (error: unknown) => boolean,
  shouldRetry: () => boolean,
): Promise<T> {
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
    try {
      return await work();
    } catch (error) {
      if (!isOutage(error) || !shouldRetry()) throw error;
      await pause(pauseMs);
    }
  }
}
