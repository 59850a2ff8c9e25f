const MINUTE_MS = 60_000;

/**
 * When a subreddit is due again after a run that began at `startedAt`. Runs that were missed while nothing ran are not made up for:
 * a time that has passed becomes `now`.
 */
export function nextRun(startedAt: Date, intervalMinutes: number, now: Date): Date {
  return new Date(Math.max(startedAt.getTime() + intervalMinutes * MINUTE_MS, now.getTime()));
}
