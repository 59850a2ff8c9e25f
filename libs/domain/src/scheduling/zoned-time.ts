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
const DAY_MS = 24 * 60 * MINUTE_MS;
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
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
  return { year, month, day, hour, minute, second };
}

/** Clock changes begin at quarters of an hour (UTC), so one reading holds for a quarter. */
const QUARTER_MS = 15 * MINUTE_MS;
/** Formatting a time costs microseconds, and the planner asks for the same quarters at each run. */
const KEPT_OFFSETS = 20_000;
const offsets = new Map<string, Map<number, number>>();

/** How far the wall clock of `timeZone` is ahead of UTC, in milliseconds. */
function offsetMs(at: number, timeZone: string): number {
  const quarter = Math.floor(at / QUARTER_MS);
  let known = offsets.get(timeZone);
  if (known === undefined || known.size >= KEPT_OFFSETS) offsets.set(timeZone, (known = new Map()));
  const found = known.get(quarter);
  if (found !== undefined) return found;
  const start = quarter * QUARTER_MS;
  const offset = asIfUtc(wallClockOf(new Date(start), timeZone)) - start;
  known.set(quarter, offset);
  return offset;
}

/** The date and the minute of the day that the clocks of `timeZone` show. */
function minuteOfDay(at: Date, timeZone: string): { date: Date; minute: number } {
  const date = new Date(at.getTime() + offsetMs(at.getTime(), timeZone));
  return { date, minute: date.getUTCHours() * 60 + date.getUTCMinutes() };
}

type WallTime = Omit<WallClock, 'second'> & { second?: number };

const asIfUtc = (clock: WallTime): number => Date.UTC(clock.year, clock.month - 1, clock.day, clock.hour, clock.minute, clock.second ?? 0);

/** When the clocks of `timeZone` show this time: once, twice where they are set back, never where they are set forward. In order. */
function occurrencesOf(clock: WallTime, timeZone: string): number[] {
  const wanted = asIfUtc(clock);
  const near = new Set([wanted - DAY_MS, wanted + DAY_MS].map((at) => offsetMs(at, timeZone)));
  return [...near]
    .map((offset) => wanted - offset)
    .filter((at) => offsetMs(at, timeZone) === wanted - at)
    .sort((a, b) => a - b);
}

/**
 * The instant of a wall-clock time in `timeZone`. A time inside the gap of a clock change moves past the gap by as much; a time that occurs
 * twice means its first occurrence.
 */
export function instantOf(clock: WallTime, timeZone: string): Date {
  const [first] = occurrencesOf(clock, timeZone);
  const wanted = asIfUtc(clock);
  return new Date(first ?? wanted - offsetMs(wanted - DAY_MS, timeZone));
}

/** The calendar day (`YYYY-MM-DD`) of an instant in `timeZone`. */
export const dayIn = (at: Date, timeZone: string): string => minuteOfDay(at, timeZone).date.toISOString().slice(0, 10);

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

/** Whether `at` is in the blocked hours. Equal times block nothing. */
export function isBlocked(at: Date, blocking: TimeBlocking): boolean {
  if (!blocking.enabled) return false;
  const start = minutesOf(blocking.startTime);
  const end = minutesOf(blocking.endTime);
  const { minute: now } = minuteOfDay(at, blocking.timeZone);
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
  const shown = minuteOfDay(at, blocking.timeZone);
  const date = new Date(shown.date.getTime() + (shown.minute >= end ? DAY_MS : 0));
  const day = { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() };
  const until = { ...day, hour: Math.floor(end / 60), minute: end % 60 };
  // where clocks are set back the end can occur twice: in the repeated hour its second occurrence ends the block
  const next = occurrencesOf(until, blocking.timeZone).find((occurrence) => occurrence > at.getTime());
  return next === undefined
    ? new Date(Math.max(instantOf(until, blocking.timeZone).getTime(), at.getTime() + 60 * MINUTE_MS))
    : new Date(next);
}
