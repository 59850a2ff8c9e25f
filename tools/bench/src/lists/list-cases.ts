import { type QueueQuery, queueQuerySchema, SKIP_REASONS, SKIPPED_SORTS, SORT_ORDERS } from '@autoposter/contracts';
import type { Database, SkippedFilter, SkippedPageQuery } from '@autoposter/persistence';

export interface Listed {
  rows: number;
  total: number;
}

const POSITIONS = ['first', 'middle', 'last'] as const;
type Position = (typeof POSITIONS)[number];

export interface ListCase {
  list: string;
  name: string;
  position: Position;
  /** Must take the same time at the larger number of rows; other cases have an upper bound. */
  flat: boolean;
  /** Reads the page; `total` is the number of rows that match the filters. */
  read(database: Database, total: number): Promise<Listed>;
}

/** `middle` is far from both ends of the list. */
function pageAt(position: Position, total: number, limit: number): number {
  const last = Math.max(1, Math.ceil(total / limit));
  return position === 'first' ? 1 : position === 'last' ? last : Math.max(1, Math.round(last * 0.618));
}

/** Subreddits of the generated posts; the first is by far the most frequent. */
const SUBREDDITS = Array.from({ length: 20 }, (_, index) => `subreddit${index}`);

const SKIPPED_PAGE = 50;

type Scope = Pick<SkippedPageQuery, 'subreddit' | 'reason' | 'from' | 'before'>;

const [subreddit] = SUBREDDITS;
const rareSubreddit = SUBREDDITS.at(-1);
const [reason] = SKIP_REASONS;
const rareReason = SKIP_REASONS.at(-1);
/** Midnight at UTC+2 and at UTC+5:30. */
const from = new Date('2026-03-14T22:00:00Z');
const before = new Date('2026-08-20T18:30:00Z');

const SINGLE: Record<string, Scope> = {
  'no filter': {},
  'subreddit (20 %)': { subreddit },
  'subreddit (3 %)': { subreddit: rareSubreddit },
  'reason (25 %)': { reason },
  'reason (3 %)': { reason: rareReason },
  'from a day': { from },
  'to a day': { before },
};

const COMBINED: Record<string, Scope> = {
  'subreddit, reason': { subreddit, reason },
  'days from, to': { from, before },
  'subreddit, days': { subreddit, from, before },
  'reason, days': { reason, from, before },
  'subreddit, reason, days': { subreddit, reason, from, before },
  'rare subreddit, rare reason': { subreddit: rareSubreddit, reason: rareReason },
};

const readSkipped =
  (query: Omit<SkippedPageQuery, 'page' | 'limit'>, position: Position): ListCase['read'] =>
  async (database, total) => {
    const page = pageAt(position, total, SKIPPED_PAGE);
    const listed = await database.read.skipped.page({ ...query, page, limit: SKIPPED_PAGE });
    return { rows: listed.rows.length, total: listed.total };
  };

const statistics =
  (filter: SkippedFilter): ListCase['read'] =>
  async (database) => {
    const counts = await database.read.skipped.statistics(filter);
    return { rows: counts.length, total: counts.reduce((sum, { count }) => sum + count, 0) };
  };

/** The default order without and with each single filter, then every order with every combination of filters. */
export function skippedCases(): ListCase[] {
  const cases: ListCase[] = [];
  const list = 'skipped posts';
  for (const [name, scope] of Object.entries(SINGLE))
    for (const position of POSITIONS)
      cases.push({ list, name, position, flat: true, read: readSkipped({ ...scope, sortBy: 'skippedAt', sortOrder: 'desc' }, position) });
  for (const sortBy of SKIPPED_SORTS)
    for (const sortOrder of SORT_ORDERS)
      for (const [name, scope] of Object.entries({ ...SINGLE, ...COMBINED })) {
        if (sortBy === 'skippedAt' && sortOrder === 'desc' && name in SINGLE) continue;
        const words = `${name}; by ${sortBy.replace('redditData.', '')} ${sortOrder}`;
        for (const position of POSITIONS)
          cases.push({ list, name: words, position, flat: false, read: readSkipped({ ...scope, sortBy, sortOrder }, position) });
      }
  cases.push({ list: 'skip statistics', name: 'no filter', position: 'first', flat: true, read: statistics({}) });
  cases.push({ list: 'skip statistics', name: 'subreddit', position: 'first', flat: true, read: statistics({ subreddit }) });
  cases.push({ list: 'skip statistics', name: 'days from, to', position: 'first', flat: true, read: statistics({ from, before }) });
  return cases;
}

/**
 * Deterministic skipped posts over 400 days: 20 % in one subreddit, 25 % with one reason, decreasing shares for the others.
 */
const SKIPPED_POSTS = `
  INSERT INTO skipped_posts (id, subreddit, source_id, original_url, reason, additional_info, title, author, post_type, score, source_created_at, skipped_at)
  SELECT md5('post' || n)::uuid, ($2::text[])[1 + floor(20 * power(a, 2))], 't3_' || n, 'https://www.reddit.com/r/bench/comments/' || n,
    ($3::text[])[1 + floor(cardinality($3::text[]) * power(b, 2))], 'excluded by a filter of the subreddit', 'Benchmark post ' || n,
    'author' || n % 5000, 'image', floor(20000 * power(c, 3)), at - c * interval '2 days', at
  FROM (
    SELECT n, timestamptz '2026-11-01T00:00:00Z' - (n * 7919::bigint % 34560000) * interval '1 second' AS at,
      n * 7919::bigint % 10007 / 10007.0::float8 AS a, n * 104729::bigint % 10009 / 10009.0::float8 AS b, n * 1299709::bigint % 10037 / 10037.0::float8 AS c
    FROM generate_series(1, $1::int) AS n) spread`;

export async function fillSkipped(database: Database, rows: number): Promise<void> {
  await database.sql.query(SKIPPED_POSTS, [rows, SUBREDDITS, SKIP_REASONS]);
  await database.sql.query('VACUUM (ANALYZE) skipped_posts');
  await database.sql.query('VACUUM (ANALYZE) skipped_post_counts');
}

const QUEUE_PAGE = 20;
const SORTS = ['scheduling.scheduledFor', 'scheduling.queuedAt', 'priority', 'sourceData.subreddit'] as const;

const QUEUE_POSTS = `
  INSERT INTO content_items (id, platform, source_id, original_url, title, subreddit, auto_process_stage, state)
  SELECT md5('item' || n)::uuid, 'reddit', 't3_' || n, 'https://www.reddit.com/r/bench/comments/' || n, 'Benchmark post ' || n,
    'subreddit' || n * 7919::bigint % 20, 'queuePost', CASE WHEN n <= 20 THEN 'queued' ELSE 'posted' END
  FROM generate_series(1, $1::int) AS n`;

/** 20 waiting items, 5 of them without a time; 1 % of the others failed, the rest are posted. */
const QUEUE_ITEMS = `
  INSERT INTO queue_items (id, item_id, status, priority, caption, queued_by, queued_at, scheduled_for, finished_at)
  SELECT md5('place' || n)::uuid, md5('item' || n)::uuid, CASE WHEN n <= 5 THEN 'pending' WHEN n <= 20 THEN 'scheduled' WHEN n % 100 = 0 THEN 'failed' ELSE 'posted' END,
    n % 11, 'A caption.', 'system', at - interval '1 day', CASE WHEN n > 5 THEN at END, CASE WHEN n > 20 THEN at END
  FROM (SELECT n, timestamptz '2026-12-01T00:00:00Z' - n * interval '30 minutes' AS at FROM generate_series(1, $1::int) AS n) spread`;

export async function fillQueue(database: Database, rows: number): Promise<void> {
  await database.sql.query(QUEUE_POSTS, [rows]);
  await database.sql.query(QUEUE_ITEMS, [rows]);
  await database.sql.query('VACUUM (ANALYZE) content_items');
  await database.sql.query('VACUUM (ANALYZE) queue_items');
  await database.sql.query('VACUUM (ANALYZE) queue_item_counts');
}

/** Orders by time use an index and must be flat; other orders read from the nearer end of the list and have only an upper bound. */
export function queueCases(): ListCase[] {
  const cases: ListCase[] = [];
  const list = 'queue';
  for (const status of [undefined, 'posted', 'failed'] as const)
    for (const sortBy of SORTS)
      for (const sortOrder of SORT_ORDERS)
        for (const position of POSITIONS) {
          const name = `${status ?? 'no filter'}; by ${sortBy.split('.').at(-1)} ${sortOrder}`;
          const read: ListCase['read'] = async (database, total) => {
            const page = pageAt(position, total, QUEUE_PAGE);
            const query: QueueQuery = {
              ...queueQuerySchema.parse({}),
              page,
              limit: QUEUE_PAGE,
              sortBy,
              sortOrder,
              ...(status && { status }),
            };
            const listed = await database.read.queue.page(query);
            return { rows: listed.rows.length, total: listed.total };
          };
          cases.push({ list, name, position, flat: sortBy.startsWith('scheduling.'), read });
        }
  const statistics: ListCase['read'] = async (database) => {
    const { totalPosts } = await database.read.queue.statistics();
    return { rows: totalPosts, total: totalPosts };
  };
  cases.push({ list: 'queue statistics', name: 'no filter', position: 'first', flat: true, read: statistics });
  return cases;
}
