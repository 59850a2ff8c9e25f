import { BULK_LIMITS, Database } from '@autoposter/persistence';

/** Copies of one captioned post; the ids at the source are none that Reddit could be asked about. */
const COPY = `
  WITH model AS (
    SELECT i.* FROM content_items i JOIN captions c ON c.item_id = i.id
    WHERE EXISTS (SELECT 1 FROM media_files f WHERE f.item_id = i.id AND f.role = 'processed') ORDER BY i.created_at LIMIT 1
  ), made AS (
    INSERT INTO content_items (id, platform, source_id, original_url, title, author, subreddit, post_type, media_type, score,
      auto_process_stage, state, created_at)
    SELECT gen_random_uuid(), 'reddit', 'copy-' || n, 'https://www.reddit.com/comments/copy-' || n, 'Post number ' || n, 'author' || n % 97,
      (ARRAY['aww','EarthPorn','oddlysatisfying'])[1 + n % 3], model.post_type, model.media_type, n, 'processedContent',
      CASE WHEN n % 10 = 0 THEN 'posted' ELSE 'ready' END, now() - make_interval(secs => n)
    FROM generate_series(1, $1::int) n, model RETURNING id
  ), files AS (
    INSERT INTO media_files (id, item_id, role, position, media_type, object_key, file_name, content_type, bytes, sha256, width, height,
      duration_seconds, has_audio, storage_type)
    SELECT gen_random_uuid(), made.id, f.role, f.position, f.media_type, f.object_key, f.file_name, f.content_type, f.bytes, f.sha256,
      f.width, f.height, f.duration_seconds, f.has_audio, f.storage_type
    FROM made, media_files f WHERE f.item_id = (SELECT id FROM model)
  )
  INSERT INTO captions (item_id, caption, hashtags, variations, analysis, visuals, text_analysis, caption_model)
  SELECT made.id, c.caption, c.hashtags, c.variations, c.analysis, c.visuals, c.text_analysis, c.caption_model
  FROM made, captions c WHERE c.item_id = (SELECT id FROM model) RETURNING item_id`;

/** Copies of what was skipped so far, one a minute ago after the other. */
const SKIPPED_COPY = `
  INSERT INTO skipped_posts (id, subreddit, platform, source_id, original_url, reason, title, author, post_type, score, skipped_at)
  SELECT gen_random_uuid(), 'aww', 'reddit', 'skipped-' || n, 'https://www.reddit.com/comments/skipped-' || n,
    CASE WHEN n % 3 = 0 THEN 'min_score_filter' ELSE 'max_age_filter' END, 'Skipped post ' || n, 'author' || n % 7, 'image', n, now() - make_interval(mins => n)
  FROM generate_series(1, $1::int) n`;

/** Makes `count` skipped posts. */
export async function makeManySkippedPosts(url: string, count: number): Promise<void> {
  const database = await Database.connect({ url, poolSize: 1, limits: BULK_LIMITS });
  await database.sql.query(SKIPPED_COPY, [count]).finally(() => database.close());
}

/** Makes `count` captioned posts out of the first that the product has; waits for that one up to `withinMs`. */
export async function makeManyPosts(url: string, count: number, withinMs: number): Promise<void> {
  const database = await Database.connect({ url, poolSize: 1, limits: BULK_LIMITS });
  try {
    for (const until = Date.now() + withinMs; ; await new Promise((resolve) => setTimeout(resolve, 500))) {
      if ((await database.sql.query(COPY, [count])).length === count) break;
      if (Date.now() > until) throw new Error('no post was captioned in time');
    }
    await database.sql.query('ANALYZE content_items');
  } finally {
    await database.close();
  }
}
