import type { QueueQuery } from '@autoposter/contracts';
import type { Statement } from '../database/transaction';

/** Position of a page: the total number of rows, the span of four weeks in which the page starts, and the number of rows before that span. */
export interface Start {
  total: number;
  below: number;
  span: number;
}

/** The span of rows without a time. */
const NO_SPAN = 2 ** 31 - 1;
const SPAN_MS = 28 * 86_400_000;

/** Sort key, order, and the exact mirror of the order, so that a late page can be read from the end. */
interface Direction {
  key: string;
  order: string;
  mirror: string;
}

/** `span`: the column of `queue_item_counts` that follows this order; `null` if there is none. */
type Order = Record<QueueQuery['sortOrder'], Direction> & { span: 'slot_span' | 'age_span' | null };

/** Rows without a value come last in both directions. */
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

/** Uses the counts that triggers maintain: counting a million rows takes longer than reading a page. */
export function startOf({ status, accountId, sortBy, sortOrder, page, limit }: QueueQuery): Statement {
  const values: unknown[] = [(page - 1) * limit];
  const conditions = ['true'];
  if (status !== undefined) conditions.push(`status = $${values.push(status)}`);
  if (accountId !== undefined) conditions.push(`account_id = $${values.push(accountId)}`);
  const span = ORDERS[sortBy].span ?? '0';
  return {
    text: `SELECT total::int AS total, below::int AS below, span FROM (
      SELECT span, sum(items) OVER () AS total, sum(items) OVER (ORDER BY span = ${NO_SPAN}, span ${sortOrder}) - items AS below
      FROM (SELECT ${span} AS span, sum(items) AS items FROM queue_item_counts WHERE ${conditions.join(' AND ')} GROUP BY 1 HAVING sum(items) > 0) spans) starts
    WHERE below <= $1 ORDER BY below DESC LIMIT 1`,
    values,
  };
}

/** The ids of a page as a table `found` to join, and the order of its rows; `null` if the page does not exist. */
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
  if (query.accountId !== undefined) conditions.push(`q.account_id = $${values.push(query.accountId)}`);
  if (ORDERS[query.sortBy].span !== null && !mirrored) {
    const edge = edgeOf(span, query.sortOrder);
    conditions.push(`${key} ${query.sortOrder === 'asc' ? '>=' : '<='} $${values.push(edge)}::timestamptz`);
  }
  const text = `(SELECT q.id FROM queue_items q WHERE ${conditions.join(' AND ')}
    ORDER BY ${mirrored ? mirror : order} LIMIT $1 OFFSET $2) found`;
  return { text, values, order };
}

/** The first instant of a span in this direction. */
function edgeOf(span: number, direction: QueueQuery['sortOrder']): string {
  if (span === NO_SPAN) return direction === 'asc' ? 'infinity' : '-infinity';
  return new Date(direction === 'asc' ? span * SPAN_MS : (span + 1) * SPAN_MS - 1).toISOString();
}
