/** Wall-clock reading of one instant in one time zone. `month` is 1–12, `day` 1–31. */
interface WallClock {
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

/** The wall-clock time in `timeZone` at `instant`. Throws `RangeError` for an unknown zone. */
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
 * The instant of a wall-clock time in `timeZone`. A time inside the gap of a clock change moves past the gap by as much; a time that occurs
 * twice means its first occurrence.
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

/** Hours of the day without automatic publishing: `[startTime, endTime)`, `HH:MM`, may cross midnight. */
export interface TimeBlocking {
  enabled: boolean;
  startTime: string;
  endTime: string;
  /** IANA name of the time zone of both times. */
  timeZone: string;
}

const DAY_MINUTES = 1440;

const minutesOf = (time: string): number => {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  return hours * 60 + minutes;
};

/** Whether `at` lies in the blocked hours. Equal times block nothing. */
export function isBlocked(at: Date, blocking: TimeBlocking): boolean {
  if (!blocking.enabled) return false;
  const start = minutesOf(blocking.startTime);
  const end = minutesOf(blocking.endTime);
  const clock = wallClockOf(at, blocking.timeZone);
  const now = clock.hour * 60 + clock.minute;
  return start <= end ? now >= start && now < end : now >= start || now < end;
}

/** `at` itself when it is free, else the first free instant after it. */
export function firstFreeInstant(at: Date, blocking: TimeBlocking): Date {
  let free = at;
  // twice at most: after a clock change the same hour can occur a second time
  for (let turn = 0; turn < 3 && isBlocked(free, blocking); turn += 1) free = endOfBlock(free, blocking);
  return free;
}

function endOfBlock(at: Date, blocking: TimeBlocking): Date {
  const end = minutesOf(blocking.endTime) % DAY_MINUTES;
  const clock = wallClockOf(at, blocking.timeZone);
  const overMidnight = clock.hour * 60 + clock.minute >= end;
  const date = new Date(Date.UTC(clock.year, clock.month - 1, clock.day + (overMidnight ? 1 : 0)));
  const day = { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() };
  const until = instantOf({ ...day, hour: Math.floor(end / 60), minute: end % 60 }, blocking.timeZone);
  return until > at ? until : new Date(at.getTime() + 3_600_000);
}
