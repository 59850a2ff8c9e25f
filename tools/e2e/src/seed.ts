import { BULK_LIMITS, Database } from '@autoposter/persistence';
import type { Page } from 'playwright-core';
import { pollUntil, type SimulatorControl } from '@autoposter/testkit';
import { TIMEOUT_MS } from './browser';

/** Copies one captioned item; the source ids do not exist on Reddit. */
const COPY_ITEM = `
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

/** Skipped posts at intervals of one minute. */
const INSERT_SKIPPED = `
  INSERT INTO skipped_posts (id, subreddit, platform, source_id, original_url, reason, title, author, post_type, score, skipped_at)
  SELECT gen_random_uuid(), 'aww', 'reddit', 'skipped-' || n, 'https://www.reddit.com/comments/skipped-' || n,
    CASE WHEN n % 3 = 0 THEN 'min_score_filter' ELSE 'max_age_filter' END, 'Skipped post ' || n, 'author' || n % 7, 'image', n, now() - make_interval(mins => n)
  FROM generate_series(1, $1::int) n`;

export async function seedSkippedPosts(url: string, count: number): Promise<void> {
  const database = await Database.connect({ url, poolSize: 1, limits: BULK_LIMITS });
  await database.sql.query(INSERT_SKIPPED, [count]).finally(() => database.close());
}

/** Waits for a captioned item and copies it `count` times. */
export async function seedCaptionedItems(url: string, count: number): Promise<void> {
  const database = await Database.connect({ url, poolSize: 1, limits: BULK_LIMITS });
  try {
    const copies = async () => (await database.sql.query(COPY_ITEM, [count])).length === count;
    await pollUntil(copies, TIMEOUT_MS, 'a captioned item', 500);
    await database.sql.query('ANALYZE content_items');
  } finally {
    await database.close();
  }
}

/** Submits the links of `processItems`; their downloads continue in the background. */
export async function addLinks(page: Page, address: string, control: SimulatorControl): Promise<void> {
  const posts = await Promise.all(['portrait', 'silent', 'naming-2020', 'garbage'].map((key) => control.post(key)));
  await page.goto(`${address}/admin/urls`);
  await page.getByLabel('Post URLs, one per line').fill(posts.map(({ permalink }) => permalink).join('\n'));
  await page.getByRole('button', { name: 'Add URLs' }).click();
  await page.getByText('Successfully processed 4 URL(s)').waitFor();
}

/** Through the console: one item each that waits for DMCA protection, waits for its caption, is ready, and has failed. */
export async function processItems(page: Page, address: string): Promise<void> {
  await page.goto(`${address}/admin/urls`);
  await page.getByLabel('Processing errors').first().waitFor();
  await page.goto(`${address}/admin`);
  const protect = page.getByRole('button', { name: 'PROCESS DMCA' });
  const caption = page.getByRole('button', { name: 'PROCESS AI' });
  await protect.nth(2).waitFor();
  await protect.first().click();
  await caption.first().click();
  await protect.first().click();
  await page.goto(`${address}/admin/processed`);
  await page.getByRole('button', { name: 'Post Now' }).first().waitFor();
  await page.goto(`${address}/admin`);
  await caption.first().waitFor();
}
