/** Wall-clock reading of one instant in one time zone. `month` is 1–12, `day` 1–31. */
export interface WallClock {
  year: number;
  month: number;
  day: number;
  hour: number;
  minute: number;
  second: number;
}

const MINUTE_MS = 60_000;
const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone);
  if (known) return known;
  const made = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  formats.set(timeZone, made);
  return made;
}

/** What a clock on the wall in `timeZone` shows at `instant`. Throws `RangeError` for an unknown zone. */
export function wallClockOf(instant: Date, timeZone: string): WallClock {
  const parts = Object.fromEntries(
    formatOf(timeZone)
      .formatToParts(instant)
      .map((part) => [part.type, Number(part.value)]),
  );
  return {
    year: parts['year'] ?? 0,
    month: parts['month'] ?? 1,
    day: parts['day'] ?? 1,
    hour: parts['hour'] ?? 0,
    minute: parts['minute'] ?? 0,
    second: parts['second'] ?? 0,
  };
}

/**
 * The instant at which a clock in `timeZone` shows the given reading. A reading that a change of clocks leaves out becomes the
 * instant after the gap by as much as the reading lies in it; one that occurs twice becomes its first occurrence.
 */
export function instantOf(clock: Omit<WallClock, 'second'> & { second?: number }, timeZone: string): Date {
  const asIfUtc = Date.UTC(clock.year, clock.month - 1, clock.day, clock.hour, clock.minute, clock.second ?? 0);
  const offsets = [asIfUtc - 24 * 60 * MINUTE_MS, asIfUtc + 24 * 60 * MINUTE_MS].map((near) => offsetMs(near, timeZone));
  const [before = 0, after = 0] = offsets;
  const fits = [before, after].map((offset) => asIfUtc - offset).filter((at) => offsetMs(at, timeZone) === asIfUtc - at);
  return new Date(fits.length > 0 ? Math.min(...fits) : asIfUtc - before);
}

function offsetMs(at: number, timeZone: string): number {
  const shown = wallClockOf(new Date(at), timeZone);
  return Date.UTC(shown.year, shown.month - 1, shown.day, shown.hour, shown.minute, shown.second) - Math.floor(at / 1000) * 1000;
}

/** First instant of a calendar day (`YYYY-MM-DD`) and first instant of the day after it, in `timeZone`. */
export function dayBounds(day: string, timeZone: string): { from: Date; until: Date } {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  const next = new Date(Date.UTC(year, month - 1, date + 1));
  return {
    from: instantOf({ year, month, day: date, hour: 0, minute: 0 }, timeZone),
    until: instantOf({ year: next.getUTCFullYear(), month: next.getUTCMonth() + 1, day: next.getUTCDate(), hour: 0, minute: 0 }, timeZone),
  };
}
