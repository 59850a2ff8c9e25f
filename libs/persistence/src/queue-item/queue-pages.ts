import type { QueueQuery } from '@autoposter/contracts';
import type { Statement } from '../database/transaction';

/** Where a page begins: how many places there are, and how many of them stand before the four weeks in which its first one is. */
export interface Start {
  total: number;
  below: number;
  span: number;
}

/** The span of those without a time. */
const NO_SPAN = 2 ** 31 - 1;
const SPAN_MS = 28 * 86_400_000;

/** What is sorted by, the order, and its exact mirror, so that a late page can be read from the end. */
interface Direction {
  key: string;
  order: string;
  mirror: string;
}

/** `span` is the column of the kept counts that tells where about in the order a place stands; `null` where none does. */
type Order = Record<QueueQuery['sortOrder'], Direction> & { span: 'slot_span' | 'age_span' | null };

/** Those without a value stand last in either direction. */
const ORDERS: Record<QueueQuery['sortBy'], Order> = {
  'scheduling.scheduledFor': {
    ...always("coalesce(q.scheduled_for, 'infinity')", "coalesce(q.scheduled_for, '-infinity')"),
    span: 'slot_span',
  },
  'scheduling.queuedAt': { ...always('q.queued_at'), span: 'age_span' },
  priority: { ...always('q.priority'), span: null },
  'sourceData.subreddit': { ...nullsLast('q.subreddit_key'), span: null },
};

function nullsLast(key: string) {
  return {
    asc: { key, order: `${key} ASC NULLS LAST, q.id ASC`, mirror: `${key} DESC NULLS FIRST, q.id DESC` },
    desc: { key, order: `${key} DESC NULLS LAST, q.id DESC`, mirror: `${key} ASC NULLS FIRST, q.id ASC` },
  };
}

function always(up: string, down = up) {
  return {
    asc: { key: up, order: `${up} ASC, q.id ASC`, mirror: `${up} DESC, q.id DESC` },
    desc: { key: down, order: `${down} DESC, q.id DESC`, mirror: `${down} ASC, q.id ASC` },
  };
}

/** From the differences that the database keeps by itself: counting a million places would take longer than reading a page of them. */
export function startOf({ status, sortBy, sortOrder, page, limit }: QueueQuery): Statement {
  const values: unknown[] = [(page - 1) * limit];
  const where = status === undefined ? '' : `WHERE status = $${values.push(status)}`;
  const span = ORDERS[sortBy].span ?? '0';
  return {
    text: `SELECT total::int AS total, below::int AS below, span FROM (
      SELECT span, sum(items) OVER () AS total, sum(items) OVER (ORDER BY span = ${NO_SPAN}, span ${sortOrder}) - items AS below
      FROM (SELECT ${span} AS span, sum(items) AS items FROM queue_item_counts ${where} GROUP BY 1 HAVING sum(items) > 0) spans) starts
    WHERE below <= $1 ORDER BY below DESC LIMIT 1`,
    values,
  };
}

/** The ids of a page as a table `found`, to be joined, and the order of its rows; `null` where there is no such page. */
export function foundOf(query: QueueQuery, { total, below, span }: Start): (Statement & { order: string }) | null {
  const offset = (query.page - 1) * query.limit;
  const take = Math.min(query.limit, total - offset);
  if (take <= 0) return null;
  const { key, order, mirror } = ORDERS[query.sortBy][query.sortOrder];
  const skip = offset - below;
  const fromEnd = total - offset - take;
  const mirrored = fromEnd < skip;
  const values: unknown[] = [take, mirrored ? fromEnd : skip];
  const conditions = ['true'];
  if (query.status !== undefined) conditions.push(`q.status = $${values.push(query.status)}`);
  if (ORDERS[query.sortBy].span !== null && !mirrored) {
    const edge = edgeOf(span, query.sortOrder);
    conditions.push(`${key} ${query.sortOrder === 'asc' ? '>=' : '<='} $${values.push(edge)}::timestamptz`);
  }
  const text = `(SELECT q.id FROM queue_items q WHERE ${conditions.join(' AND ')}
    ORDER BY ${mirrored ? mirror : order} LIMIT $1 OFFSET $2) found`;
  return { text, values, order };
}

/** The first time of a span in this direction. */
function edgeOf(span: number, direction: QueueQuery['sortOrder']): string {
  if (span === NO_SPAN) return direction === 'asc' ? 'infinity' : '-infinity';
  return new Date(direction === 'asc' ? span * SPAN_MS : (span + 1) * SPAN_MS - 1).toISOString();
}
