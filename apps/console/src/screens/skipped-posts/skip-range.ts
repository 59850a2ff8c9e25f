import type { SkippedFilters } from './skipped-posts.url';

export const RANGES = ['24h', '7d', '30d'] as const;
export type Range = (typeof RANGES)[number];

const DAY_MS = 86_400_000;
const DAYS: Record<Range, number> = { '24h': 1, '7d': 7, '30d': 30 };

/** The whole day in which the span begins, on the calendar of `timeZone`. */
export const startOf = (range: Range, now: number, timeZone: string): string =>
  new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' }).format(now - DAYS[range] * DAY_MS);

/** The span that the two dates amount to, if it is one of the usual ones. */
export const rangeOf = ({ dateFrom, dateTo }: Pick<SkippedFilters, 'dateFrom' | 'dateTo'>, now: number, timeZone: string): Range | null =>
  dateTo === '' ? (RANGES.find((range) => startOf(range, now, timeZone) === dateFrom) ?? null) : null;
