import type { MediaType, QueueQuery, QueueStatistics, QueueStatus } from '@autoposter/contracts';
import type { Reads } from '../items/item-rows';

export interface QueueRow {
  id: string;
  item_id: string;
  status: QueueStatus;
  priority: number;
  caption: string;
  immediate: boolean;
  pinned: boolean;
  scheduled_for: Date | null;
  queued_at: Date;
  finished_at: Date | null;
  outcome: 'unknown' | null;
  failure: { message?: string; nextAction?: string } | null;
  version: number;
  title: string;
  subreddit: string | null;
  original_url: string;
  media_type: MediaType;
  has_cover: boolean;
  permalink: string | null;
}

const SELECT = `
  SELECT q.*, i.title, i.subreddit, i.original_url, i.media_type,
         EXISTS (SELECT 1 FROM media_files m WHERE m.item_id = i.id AND m.role = 'cover') AS has_cover,
         (SELECT permalink FROM publish_attempts p WHERE p.queue_item_id = q.id AND p.state = 'published' LIMIT 1) AS permalink
  FROM queue_items q JOIN content_items i ON i.id = q.item_id`;

const ORDER: Record<QueueQuery['sortBy'], string> = {
  'scheduling.scheduledFor': 'q.scheduled_for',
  'scheduling.queuedAt': 'q.queued_at',
  priority: 'q.priority',
  'sourceData.subreddit': 'lower(i.subreddit)',
};

export async function queuePage(reads: Reads, query: QueueQuery): Promise<{ rows: QueueRow[]; totalCount: number }> {
  const direction = query.sortOrder === 'desc' ? 'DESC' : 'ASC';
  const rows = await reads.query<QueueRow>(
    `${SELECT} WHERE ($1::text IS NULL OR q.status = $1)
     ORDER BY ${ORDER[query.sortBy]} ${direction} NULLS LAST, q.queued_at, q.id LIMIT $2 OFFSET $3`,
    [query.status ?? null, query.limit, (query.page - 1) * query.limit],
  );
  const [count] = await reads.query<{ n: number }>('SELECT count(*)::int AS n FROM queue_items WHERE ($1::text IS NULL OR status = $1)', [
    query.status ?? null,
  ]);
  return { rows, totalCount: count?.n ?? 0 };
}

export async function queueRowById(reads: Reads, id: string): Promise<QueueRow | null> {
  const [row] = await reads.query<QueueRow>(`${SELECT} WHERE q.id = $1`, [id]);
  return row ?? null;
}

/** What goes out next: what is being posted has left the line already. */
export async function nextInQueue(reads: Reads): Promise<{ title: string; scheduled_for: Date | null } | null> {
  const [row] = await reads.query<{ title: string; scheduled_for: Date | null }>(
    `SELECT i.title, q.scheduled_for FROM queue_items q JOIN content_items i ON i.id = q.item_id
     WHERE q.status IN ('pending','scheduled')
     ORDER BY q.scheduled_for NULLS LAST, q.priority DESC, q.queued_at, q.id LIMIT 1`,
  );
  return row ?? null;
}

export async function countWaiting(reads: Reads): Promise<number> {
  const [row] = await reads.query<{ n: number }>(
    "SELECT count(*)::int AS n FROM queue_items WHERE status IN ('pending','scheduled','posting')",
  );
  return row?.n ?? 0;
}

export async function queueStatistics(reads: Reads): Promise<QueueStatistics> {
  const [row] = await reads.query<QueueStatistics>(
    `SELECT count(*) FILTER (WHERE status <> 'cancelled')::int AS "totalPosts",
            count(*) FILTER (WHERE status IN ('pending','scheduled'))::int AS "pendingPosts",
            count(*) FILTER (WHERE status = 'posted')::int AS "completedPosts",
            count(*) FILTER (WHERE status = 'failed')::int AS "failedPosts",
            coalesce(round((avg(extract(epoch FROM finished_at - queued_at)) FILTER (WHERE status = 'posted') / 3600)::numeric, 2), 0)::float
              AS "averageQueueTimeHours"
     FROM queue_items`,
  );
  return row ?? { totalPosts: 0, pendingPosts: 0, completedPosts: 0, failedPosts: 0, averageQueueTimeHours: 0 };
}
