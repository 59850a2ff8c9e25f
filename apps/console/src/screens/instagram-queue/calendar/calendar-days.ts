import { instantOf, wallClockOf } from '@autoposter/domain';

/** A calendar day, `YYYY-MM-DD`, in the queue's time zone. */
export type Day = string;

export const DAY_MINUTES = 1440;
const WEEK = 7;
const MONTH_ROWS = 6;

const two = (value: number): string => String(value).padStart(2, '0');
const parse = (day: Day): Date => new Date(`${day}T00:00:00Z`);
const print = (date: Date): Day => date.toISOString().slice(0, 10);

export const isDay = (text: string): boolean =>
  /^\d{4}-\d{2}-\d{2}$/u.test(text) && !Number.isNaN(parse(text).getTime()) && print(parse(text)) === text;

export const addDays = (day: Day, days: number): Day => {
  const date = parse(day);
  date.setUTCDate(date.getUTCDate() + days);
  return print(date);
};

/** The same day of another month, clamped to the last day of that month. */
export const addMonths = (day: Day, months: number): Day => {
  const date = parse(day);
  const target = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months, 1));
  const last = new Date(Date.UTC(target.getUTCFullYear(), target.getUTCMonth() + 1, 0)).getUTCDate();
  target.setUTCDate(Math.min(date.getUTCDate(), last));
  return print(target);
};

export const dayOf = (at: Date, timeZone: string): Day => {
  const clock = wallClockOf(at, timeZone);
  return `${clock.year}-${two(clock.month)}-${two(clock.day)}`;
};

export const minuteOf = (at: Date, timeZone: string): number => {
  const clock = wallClockOf(at, timeZone);
  return clock.hour * 60 + clock.minute;
};

export const instantAt = (day: Day, minute: number, timeZone: string): Date => {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  return instantOf({ year, month, day: date, hour: Math.floor(minute / 60), minute: minute % 60 }, timeZone);
};

/** The week of `day`, Monday first. */
export const weekOf = (day: Day): Day[] => {
  const fromMonday = (parse(day).getUTCDay() + WEEK - 1) % WEEK;
  return Array.from({ length: WEEK }, (_none, index) => addDays(day, index - fromMonday));
};

/** The whole weeks that contain the month of `day`. */
export const monthOf = (day: Day): Day[][] => {
  const month = day.slice(0, 7);
  const rows: Day[][] = [];
  for (let week = weekOf(`${month}-01`); rows.length < MONTH_ROWS && week[0] !== undefined; week = weekOf(addDays(week[0], WEEK))) {
    if (rows.length > 0 && !week[0].startsWith(month)) break;
    rows.push(week);
  }
  return rows;
};

export const clockText = (minute: number): string => `${two(Math.floor(minute / 60))}:${two(minute % 60)}`;

/** Value of a `datetime-local` field in the time zone. */
export const localText = (at: Date, timeZone: string): string => `${dayOf(at, timeZone)}T${clockText(minuteOf(at, timeZone))}`;

/** The instant of such a value; `null` while it is incomplete. */
export const fromLocalText = (text: string, timeZone: string): Date | null => {
  const [day = '', time = ''] = text.split('T');
  if (!isDay(day) || !/^\d{2}:\d{2}/u.test(time)) return null;
  const [hour = 0, minute = 0] = time.split(':').map(Number);
  return instantAt(day, hour * 60 + minute, timeZone);
};

const format = (day: Day, options: Intl.DateTimeFormatOptions): string =>
  new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', ...options }).format(parse(day));

export const dayName = (day: Day): string => format(day, { weekday: 'short' });
export const dayNumber = (day: Day): string => String(Number(day.slice(8)));
export const longDay = (day: Day): string => format(day, { weekday: 'long', day: 'numeric', month: 'long' });
export const shortDay = (day: Day): string => format(day, { weekday: 'short', day: 'numeric', month: 'short' });
export const monthTitle = (day: Day): string => format(day, { month: 'long', year: 'numeric' });
export const weekTitle = (day: Day): string => {
  const week = weekOf(day);
  const [first = day, last = day] = [week[0], week[WEEK - 1]];
  return `${format(first, { day: 'numeric', month: 'short' })} – ${format(last, { day: 'numeric', month: 'short', year: 'numeric' })}`;
};

/** "Friday 21 November, 14:30"; `name` formats the day. */
export const slotText = (at: Date, timeZone: string, name: (day: Day) => string): string =>
  `${name(dayOf(at, timeZone))}, ${clockText(minuteOf(at, timeZone))}`;
