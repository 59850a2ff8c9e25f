import type { QueueQuery } from '@autoposter/contracts';
import type { Statement } from '../database/transaction';

/** Each order, those without a value last, and its exact mirror, so that a late page can be read from the end. */
const ORDERS: Record<QueueQuery['sortBy'], Record<QueueQuery['sortOrder'], { order: string; mirror: string }>> = {
  'scheduling.scheduledFor': nullsLast('q.scheduled_for'),
  'scheduling.queuedAt': never('q.queued_at'),
  priority: never('q.priority'),
  'sourceData.subreddit': nullsLast('q.subreddit_key'),
};

function nullsLast(key: string) {
  return {
    asc: { order: `${key} ASC NULLS LAST, q.id ASC`, mirror: `${key} DESC NULLS FIRST, q.id DESC` },
    desc: { order: `${key} DESC NULLS LAST, q.id DESC`, mirror: `${key} ASC NULLS FIRST, q.id ASC` },
  };
}

function never(key: string) {
  const [asc, desc] = [`${key} ASC, q.id ASC`, `${key} DESC, q.id DESC`];
  return { asc: { order: asc, mirror: desc }, desc: { order: desc, mirror: asc } };
}

/** From the differences that the database keeps by itself: counting a million places would take longer than reading a page of them. */
export const totalOf = ({ status }: QueueQuery): Statement => ({
  text: `SELECT coalesce(sum(items), 0)::int AS total FROM queue_item_counts ${status === undefined ? '' : 'WHERE status = $1'}`,
  values: status === undefined ? [] : [status],
});

/** The ids of a page as a table `found`, to be joined, and the order of its rows; `null` where there is no such page. */
export function foundOf(query: QueueQuery, total: number): (Statement & { order: string }) | null {
  const offset = (query.page - 1) * query.limit;
  if (offset >= total) return null;
  const take = Math.min(query.limit, total - offset);
  const fromEnd = total - offset - take;
  const { order, mirror } = ORDERS[query.sortBy][query.sortOrder];
  const mirrored = fromEnd < offset;
  const values: unknown[] = [take, mirrored ? fromEnd : offset];
  const where = query.status === undefined ? '' : `WHERE q.status = $${values.push(query.status)}`;
  const text = `(SELECT q.id FROM queue_items q ${where}
    ORDER BY ${mirrored ? mirror : order} LIMIT $1 OFFSET $2) found`;
  return { text, values, order };
}
