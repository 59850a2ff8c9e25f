import { cutText, dayBounds } from '@autoposter/domain';
import { localZone, readPreferences } from '../preferences/preferences';

const BYTES_PER_MB = 1024 * 1024;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

export const megabytes = (bytes: number): string => `${(bytes / BYTES_PER_MB).toFixed(2)} MB`;

/** Without the mark before the ellipsis, which would look like a fourth dot. */
export const truncate = (text: string, characters: number): string =>
  text.length > characters
    ? `${cutText(text, characters)
        .trimEnd()
        .replace(/[.,:;…]$/u, '')}…`
    : text;

/** At least one character that is neither space nor invisible; U+3164 and its kin are letters that fonts draw as nothing. */
const VISIBLE = /[^\s\p{Cf}\p{Cc}\u115f\u1160\u2800\u3164\uffa0]/u;

/** Whether a person could see the text. */
export const isVisible = (text: string | null | undefined): text is string => typeof text === 'string' && VISIBLE.test(text);

/** The title of a post, or a replacement for one without visible characters. */
export const titleText = (title: string | null | undefined, otherwise = 'Untitled'): string => (isVisible(title) ? title : otherwise);

export const count = (value: number): string => new Intl.NumberFormat('en').format(value);

export const plural = (value: number, noun: string): string => `${count(value)} ${noun}${value === 1 ? '' : 's'}`;

const yearOf = (date: Date, timeZone: string | undefined): string =>
  new Intl.DateTimeFormat('en', { year: 'numeric', timeZone }).format(date);

/** In the preferred time zone unless `timeZone` is given; the year only when it is not the current one there. */
export const formatDateTime = (iso: string, options: { timeZone?: string; zone?: boolean } = {}): string => {
  const date = new Date(iso);
  const timeZone = options.timeZone ?? readPreferences().timeZone ?? undefined;
  if (Number.isNaN(date.getTime())) return iso;
  return new Intl.DateTimeFormat('en-GB', {
    day: 'numeric',
    month: 'short',
    ...(yearOf(date, timeZone) === yearOf(new Date(), timeZone) ? {} : { year: 'numeric' }),
    hour: '2-digit',
    minute: '2-digit',
    timeZone,
    ...(options.zone === true ? { timeZoneName: 'short' } : {}),
  }).format(date);
};

/** Seconds as "1 d 2 h", "3 h 4 min", "5 min" or "6 s". */
export const duration = (seconds: number): string => {
  const [days, hours, minutes] = [Math.floor(seconds / 86_400), Math.floor((seconds % 86_400) / 3_600), Math.floor((seconds % 3_600) / 60)];
  if (days > 0) return `${days} d ${hours} h`;
  if (hours > 0) return `${hours} h ${minutes} min`;
  return minutes > 0 ? `${minutes} min` : `${Math.floor(seconds)} s`;
};

export const nextRun = (iso: string | null, now: number): string => {
  if (iso === null) return 'Not scheduled';
  const left = new Date(iso).getTime() - now;
  if (left < 0) return 'Overdue';
  if (left < MINUTE_MS) return 'Very soon';
  if (left < HOUR_MS) return `in ${plural(Math.floor(left / MINUTE_MS), 'minute')}`;
  if (left < DAY_MS) return `in ${plural(Math.floor(left / HOUR_MS), 'hour')}`;
  return `in ${plural(Math.floor(left / DAY_MS), 'day')}`;
};

/** Time until publication: "Ready to post", "5m", "2h 5m" or "2d 1h"; "-" without a time. */
export const timeUntil = (iso: string | null, now: number): string => {
  if (iso === null) return '-';
  const left = new Date(iso).getTime() - now;
  if (left <= 0) return 'Ready to post';
  if (left < HOUR_MS) return `${Math.max(1, Math.floor(left / MINUTE_MS))}m`;
  if (left < DAY_MS) return `${Math.floor(left / HOUR_MS)}h ${Math.floor((left % HOUR_MS) / MINUTE_MS)}m`;
  return `${Math.floor(left / DAY_MS)}d ${Math.floor((left % DAY_MS) / HOUR_MS)}h`;
};

/** "just now", "5 min ago", "3 h ago" or "2 d ago". */
export const timeAgo = (iso: string, now: number): string => {
  const passed = now - new Date(iso).getTime();
  if (passed < MINUTE_MS) return 'just now';
  if (passed < HOUR_MS) return `${Math.floor(passed / MINUTE_MS)} min ago`;
  if (passed < DAY_MS) return `${Math.floor(passed / HOUR_MS)} h ago`;
  return `${Math.floor(passed / DAY_MS)} d ago`;
};

/** r/subreddit for Reddit, @author otherwise. */
export const sourceName = (item: { platform: string; subreddit: string | null; author: string | null }): string => {
  if (item.platform === 'reddit' && item.subreddit !== null) return `r/${item.subreddit}`;
  return item.author === null ? 'unknown' : `@${item.author}`;
};

/** Hashtags are stored with or without "#". */
export const hashtag = (tag: string): string => (tag.startsWith('#') ? tag : `#${tag}`);

export const capitalised = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

/** The first letter or digit of each of the first two words that have one. */
export const initials = (name: string): string =>
  name
    .split(/\s+/u)
    .flatMap((word) => /[\p{L}\p{N}]/u.exec(word) ?? [])
    .slice(0, 2)
    .join('')
    .toUpperCase();

/** Seconds as "0:07" or "1:30". */
export const videoLength = (seconds: number): string => {
  const whole = Math.round(seconds);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`;
};

/** The last moment of a day (`YYYY-MM-DD`) in the preferred time zone, as ISO text. */
export const endOfDay = (day: string): string =>
  new Date(dayBounds(day, readPreferences().timeZone ?? localZone()).until.getTime() - 1).toISOString();

/** A zone's current abbreviation, such as "UTC", "CET" or "GMT+5:45". */
export const shortZone = (zone: string): string =>
  new Intl.DateTimeFormat('en-GB', { timeZone: zone, timeZoneName: 'short' }).formatToParts().find(({ type }) => type === 'timeZoneName')
    ?.value ?? zone;

/** IANA names of all time zones that the browser supports. */
export const allZones = (): readonly string[] => (typeof Intl.supportedValuesOf === 'function' ? Intl.supportedValuesOf('timeZone') : []);

/** The typed integer if it is within the limits (inclusive), else null. */
export const parseWholeNumber = (text: string, { min, max }: { min: number; max?: number }): number | null => {
  const value = text.trim() === '' ? Number.NaN : Number(text);
  return Number.isInteger(value) && value >= min && value <= (max ?? Number.MAX_SAFE_INTEGER) ? value : null;
};
