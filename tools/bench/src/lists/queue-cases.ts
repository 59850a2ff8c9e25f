import { queueQuerySchema, SORT_ORDERS, type QueueQuery } from '@autoposter/contracts';
import type { Database } from '@autoposter/persistence';
import { pageAt, POSITIONS, type ListCase } from './list-case';

const PAGE_SIZE = 20;
const SORTS = ['scheduling.scheduledFor', 'scheduling.queuedAt', 'priority', 'sourceData.subreddit'] as const;

const ITEMS = `
  INSERT INTO content_items (id, platform, source_id, original_url, title, subreddit, auto_process_stage, state)
  SELECT md5('item' || n)::uuid, 'reddit', 't3_' || n, 'https://www.reddit.com/r/bench/comments/' || n, 'A post of the benchmark, number ' || n,
    'subreddit' || n * 7919::bigint % 20, 'queuePost', CASE WHEN n <= 20 THEN 'queued' ELSE 'posted' END
  FROM generate_series(1, $1::int) AS n`;

/** Twenty that wait, five of them without a slot; one in a hundred failed, all others went out. */
const PLACES = `
  INSERT INTO queue_items (id, item_id, status, priority, caption, queued_by, queued_at, scheduled_for, finished_at)
  SELECT md5('place' || n)::uuid, md5('item' || n)::uuid, CASE WHEN n <= 5 THEN 'pending' WHEN n <= 20 THEN 'scheduled' WHEN n % 100 = 0 THEN 'failed' ELSE 'posted' END,
    n % 11, 'A caption.', 'system', at - interval '1 day', CASE WHEN n > 5 THEN at END, CASE WHEN n > 20 THEN at END
  FROM (SELECT n, timestamptz '2026-12-01T00:00:00Z' - n * interval '30 minutes' AS at FROM generate_series(1, $1::int) AS n) spread`;

export async function fillQueue(database: Database, rows: number): Promise<void> {
  await database.sql.query(ITEMS, [rows]);
  await database.sql.query(PLACES, [rows]);
  await database.sql.query('VACUUM (ANALYZE) content_items');
  await database.sql.query('VACUUM (ANALYZE) queue_items');
  await database.sql.query('VACUUM (ANALYZE) queue_item_counts');
}

/** By either time a page begins near its first place; the other orders are read from the nearer end of the list, and held to the bound alone. */
export function queueCases(): ListCase[] {
  const cases: ListCase[] = [];
  const list = 'queue';
  for (const status of [undefined, 'posted', 'failed'] as const)
    for (const sortBy of SORTS)
      for (const sortOrder of SORT_ORDERS)
        for (const position of POSITIONS) {
          const name = `${status ?? 'no filter'}; by ${sortBy.split('.').at(-1)} ${sortOrder}`;
          const ask: ListCase['ask'] = async (database, total) => {
            const page = pageAt(position, total, PAGE_SIZE);
            const query: QueueQuery = {
              ...queueQuerySchema.parse({}),
              page,
              limit: PAGE_SIZE,
              sortBy,
              sortOrder,
              ...(status && { status }),
            };
            const listed = await database.read.queue.page(query);
            return { rows: listed.rows.length, total: listed.total };
          };
          cases.push({ list, name, position, flat: sortBy.startsWith('scheduling.'), ask });
        }
  const statistics: ListCase['ask'] = async (database) => {
    const { totalPosts } = await database.read.queue.statistics();
    return { rows: totalPosts, total: totalPosts };
  };
  cases.push({ list: 'queue statistics', name: 'no filter', position: 'first', flat: true, ask: statistics });
  return cases;
}
