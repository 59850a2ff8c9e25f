import { instantOf, wallClockOf } from './zoned-time';

/** Hours of the day in which nothing is published by itself: `[startTime, endTime)`, `HH:MM`, may run over midnight. */
export interface TimeBlocking {
  enabled: boolean;
  startTime: string;
  endTime: string;
  /** IANA name of the zone in which the two times are read. */
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
  // Twice at most: after a change of clocks the same hour can come a second time.
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
