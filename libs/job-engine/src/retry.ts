/** Longest pause between two automatic attempts. */
export const MAX_PAUSE_SECONDS = 3600;

/**
 * Seconds before attempt number `attempt + 1`: between 10 % and 100 % of `first × 4^(attempt − 1)`. The jitter spreads jobs that failed
 * together. `random` is in [0, 1).
 */
export function backoffSeconds(attempt: number, firstSeconds: number, random: number = Math.random()): number {
  const ceiling = Math.min(MAX_PAUSE_SECONDS, firstSeconds * 4 ** Math.max(0, attempt - 1));
  return ceiling * (0.1 + 0.9 * random);
}
