import { SKIP_REASONS } from '@autoposter/contracts';
import type { Database } from '@autoposter/persistence';

/** Names that the cases ask for: the first is by far the most frequent. */
export const SUBREDDITS = Array.from({ length: 20 }, (_, index) => `subreddit${index}`);

/**
 * Skipped posts spread over 400 days; a fifth of them in one subreddit and a quarter for one reason, the others ever fewer. The same rows
 * each time.
 */
const FILL = `
  INSERT INTO skipped_posts (id, subreddit, source_id, original_url, reason, additional_info, title, author, post_type, score, source_created_at, skipped_at)
  SELECT md5('post' || n)::uuid, ($2::text[])[1 + floor(20 * power(a, 2))], 't3_' || n, 'https://www.reddit.com/r/bench/comments/' || n,
    ($3::text[])[1 + floor(cardinality($3::text[]) * power(b, 2))], 'left out by a rule that the subreddit has', 'A post of the benchmark, number ' || n,
    'author' || n % 5000, 'image', floor(20000 * power(c, 3)), at - c * interval '2 days', at
  FROM (
    SELECT n, timestamptz '2026-11-01T00:00:00Z' - (n * 7919::bigint % 34560000) * interval '1 second' AS at,
      n * 7919::bigint % 10007 / 10007.0::float8 AS a, n * 104729::bigint % 10009 / 10009.0::float8 AS b, n * 1299709::bigint % 10037 / 10037.0::float8 AS c
    FROM generate_series(1, $1::int) AS n) spread`;

export async function fillSkipped(database: Database, rows: number): Promise<void> {
  await database.sql.query(FILL, [rows, SUBREDDITS, SKIP_REASONS]);
  await database.sql.query('VACUUM (ANALYZE) skipped_posts');
  await database.sql.query('VACUUM (ANALYZE) skipped_post_counts');
}
