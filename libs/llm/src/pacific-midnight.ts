const PACIFIC = new Intl.DateTimeFormat('en-US', {
  timeZone: 'America/Los_Angeles',
  hourCycle: 'h23',
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
  hour: '2-digit',
});

/** The next midnight in Pacific time (milliseconds since 1970), when Gemini's daily quotas start anew; right across clock changes. */
export function nextPacificMidnight(nowMs: number): number {
  const today = partsOf(nowMs);
  // Midnight lies 7 or 8 hours after UTC midnight; of the two the one that is midnight there.
  const tomorrowUtc = Date.UTC(today.year, today.month - 1, today.day + 1);
  const candidates = [7, 8].map((hours) => tomorrowUtc + hours * 3_600_000);
  return candidates.find((ms) => partsOf(ms).hour === 0) ?? tomorrowUtc + 8 * 3_600_000;
}

function partsOf(ms: number): { year: number; month: number; day: number; hour: number } {
  const parts = Object.fromEntries(PACIFIC.formatToParts(new Date(ms)).map((part) => [part.type, Number(part.value)]));
  return { year: parts['year'] ?? 1970, month: parts['month'] ?? 1, day: parts['day'] ?? 1, hour: parts['hour'] ?? 0 };
}
