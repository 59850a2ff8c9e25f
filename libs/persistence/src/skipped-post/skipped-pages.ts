import type { SkippedPostsQuery, SkipReason } from '@autoposter/contracts';
import type { Statement } from '../database/transaction';

/** `from` is inclusive, `before` exclusive. The caller converts days of a time zone to instants. */
export interface SkippedFilter {
  subreddit?: string | undefined;
  from?: Date | undefined;
  before?: Date | undefined;
}

type SkippedScope = SkippedFilter & { reason?: SkipReason | undefined };

export type SkippedPageQuery = SkippedScope & Pick<SkippedPostsQuery, 'page' | 'limit' | 'sortBy' | 'sortOrder'>;

/** Positions, from `low` to before `high`, in all rows of a subreddit and reason ordered by `skippedAt`, oldest first. */
export interface Bounds {
  low: number;
  high: number;
}

/** A UTC day with the number of rows before it. */
export interface Day {
  day: string;
  below: number;
  posts: number;
}

/** A range of rows to read, forwards from the start or backwards from the end of a day, or of the whole list without a day. */
export interface RowRange {
  day: string | null;
  backwards: boolean;
  skip: number;
  take: number;
}

/** Each order and its exact mirror: one index serves both, and a late page can be read from the end. */
const ORDERS: Record<SkippedPostsQuery['sortBy'], Record<'up' | 'down', string>> = {
  skippedAt: { up: 'skipped_at, id', down: 'skipped_at DESC, id DESC' },
  'redditData.score': { up: 'score, id', down: 'score DESC, id DESC' },
  'redditData.created': { up: 'source_created_at NULLS FIRST, id', down: 'source_created_at DESC NULLS LAST, id DESC' },
  'redditData.subreddit': { up: 'subreddit, skipped_at, id', down: 'subreddit DESC, skipped_at DESC, id DESC' },
};

/** Number of rows before an instant: sums whole days and counts the rest of its day. */
const below = (place: string, conditions: readonly string[]): string => `(
  (SELECT coalesce(sum(posts), 0) FROM skipped_post_counts WHERE subreddit = $1 AND reason = $2 AND day < (${place} AT TIME ZONE 'UTC')::date)
  + (SELECT count(*) FROM skipped_posts WHERE ${['true', ...conditions].join(' AND ')}
     AND skipped_at >= date_trunc('day', ${place}, 'UTC') AND skipped_at < ${place}))::int`;

export function boundsOf(scope: SkippedScope): Statement {
  const values: unknown[] = [scope.subreddit ?? '*', scope.reason ?? '*'];
  const conditions = [...(scope.subreddit === undefined ? [] : ['subreddit = $1']), ...(scope.reason === undefined ? [] : ['reason = $2'])];
  const place = (at: Date): string => `$${values.push(at)}::timestamptz`;
  const low = scope.from === undefined ? '0' : below(place(scope.from), conditions);
  const high =
    scope.before === undefined
      ? '(SELECT coalesce(sum(posts), 0) FROM skipped_post_counts WHERE subreddit = $1 AND reason = $2)::int'
      : below(place(scope.before), conditions);
  return { text: `SELECT ${low} AS low, ${high} AS high`, values };
}

/** The day that contains the row at this position. */
export const dayOf = ({ subreddit, reason }: SkippedScope, place: number): Statement => ({
  text: `SELECT day::text AS day, below::int AS below, posts::int AS posts FROM (
    SELECT day, posts, sum(posts) OVER (ORDER BY day) - posts AS below FROM skipped_post_counts WHERE subreddit = $1 AND reason = $2) days
  WHERE below <= $3 AND posts > 0 ORDER BY day DESC LIMIT 1`,
  values: [subreddit ?? '*', reason ?? '*', place],
});

/** Positions of a page in the order of `skippedAt`; `null` if the page does not exist. */
export function positionsOf({ page, limit, sortOrder }: SkippedPageQuery, { low, high }: Bounds): Bounds | null {
  const offset = (page - 1) * limit;
  if (offset >= high - low) return null;
  if (sortOrder === 'asc') return { low: low + offset, high: Math.min(low + offset + limit, high) };
  return { low: Math.max(high - offset - limit, low), high: high - offset };
}

/** Reads the positions `low` to `high` from the nearer end of the day in which they start. */
export function rangeInDay({ low, high }: Bounds, { day, below: before, posts }: Day): RowRange {
  const skip = low - before;
  const fromEnd = before + posts - high;
  const backwards = fromEnd >= 0 && fromEnd < skip;
  return { day, backwards, skip: backwards ? fromEnd : skip, take: high - low };
}

/** Reads a page of another order from the nearer end of the list; `null` if the page does not exist. */
export function rangeOfPage({ page, limit, sortOrder }: SkippedPageQuery, total: number): RowRange | null {
  const offset = (page - 1) * limit;
  if (offset >= total) return null;
  const take = Math.min(limit, total - offset);
  const fromEnd = total - offset - take;
  const mirrored = fromEnd < offset;
  return { day: null, backwards: (sortOrder === 'desc') !== mirrored, skip: mirrored ? fromEnd : offset, take };
}

/** The rows of a range, smallest first: an index-only scan finds the ids. */
export function rowsOf(scope: SkippedScope, sortBy: SkippedPostsQuery['sortBy'], { day, backwards, skip, take }: RowRange): Statement {
  const values: unknown[] = [];
  const conditions: string[] = ['true'];
  const filter = (condition: (place: string) => string, value: unknown): void => {
    if (value !== undefined) conditions.push(condition(`$${values.push(value)}`));
  };
  filter((place) => `subreddit = ${place}`, scope.subreddit);
  filter((place) => `reason = ${place}`, scope.reason);
  if (day === null) {
    filter((place) => `skipped_at >= ${place}`, scope.from);
    filter((place) => `skipped_at < ${place}`, scope.before);
  } else {
    const at = (place: string): string => `(${place}::date ${backwards ? '+ 1' : ''})::timestamp AT TIME ZONE 'UTC'`;
    filter((place) => `skipped_at ${backwards ? '<' : '>='} ${at(place)}`, day);
  }
  const { up, down } = ORDERS[sortBy];
  const found = `SELECT id FROM skipped_posts WHERE ${conditions.join(' AND ')} ORDER BY ${backwards ? down : up}
    LIMIT $${values.push(take)} OFFSET $${values.push(skip)}`;
  const order = up
    .split(', ')
    .map((key) => `p.${key}`)
    .join(', ');
  return { text: `SELECT p.* FROM (${found}) found JOIN skipped_posts p ON p.id = found.id ORDER BY ${order}`, values };
}

/** Rows per reason: sums whole days and counts the partial days at both ends. */
export function reasonsOf({ subreddit, from, before }: SkippedFilter): Statement {
  const values: unknown[] = [subreddit ?? '*'];
  const days: string[] = [];
  const ends: string[] = [];
  const end = (at: Date, sign: string): void => {
    const place = `$${values.push(at)}::timestamptz`;
    days.push(`day ${sign === '-' ? '>=' : '<'} (${place} AT TIME ZONE 'UTC')::date`);
    ends.push(`UNION ALL SELECT reason, ${sign}count(*) FROM skipped_posts
      WHERE ${subreddit === undefined ? 'true' : 'subreddit = $1'} AND skipped_at >= date_trunc('day', ${place}, 'UTC') AND skipped_at < ${place} GROUP BY reason`);
  };
  if (from !== undefined) end(from, '-');
  if (before !== undefined) end(before, '');
  return {
    text: `SELECT reason, sum(posts)::int AS count FROM (
      SELECT reason, posts FROM skipped_post_counts WHERE subreddit = $1 AND reason <> '*' ${days.map((day) => `AND ${day}`).join(' ')}
      ${ends.join(' ')}) counted
    GROUP BY reason HAVING sum(posts) > 0 ORDER BY count DESC, reason`,
    values,
  };
}

/** One index lookup per subreddit. */
export const SUBREDDITS = `
  WITH RECURSIVE found AS (
    (SELECT subreddit FROM skipped_posts ORDER BY subreddit LIMIT 1)
    UNION ALL
    SELECT (SELECT p.subreddit FROM skipped_posts p WHERE p.subreddit > found.subreddit ORDER BY p.subreddit LIMIT 1)
    FROM found WHERE found.subreddit IS NOT NULL)
  SELECT subreddit FROM found WHERE subreddit IS NOT NULL ORDER BY subreddit`;
