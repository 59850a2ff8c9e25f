import type { Database } from '@autoposter/persistence';

/** Numbers of items, and how long ago the product finished with them: at least `minutesAgo`, spread evenly over `overMinutes` before. */
interface FinishedItems {
  first: number;
  last: number;
  minutesAgo: number;
  overMinutes: number;
}

/** Adds items that passed all four stages, with their four jobs and eight events. */
export async function addFinishedItems({ sql }: Database, { first, last, minutesAgo, overMinutes }: FinishedItems): Promise<void> {
  await sql.query(CONTENT, [first, last]);
  for (const text of [JOBS, EVENTS]) await sql.query(text, [first, last, minutesAgo, overMinutes]);
}

const CONTENT = `
  INSERT INTO content_items (id, platform, source_id, original_url, title, auto_process_stage, state)
  SELECT md5('item' || n)::uuid, 'reddit', 't3_' || n, 'https://www.reddit.com/r/bench/comments/' || n, 'Benchmark post ' || n, 'processedContent', 'ready'
  FROM generate_series($1::int, $2::int) AS n`;

const OF_EACH_STAGE = `
  FROM generate_series($1::int, $2::int) AS n CROSS JOIN unnest(ARRAY['collect','download','dmca','ai']) AS stage
    CROSS JOIN LATERAL (SELECT md5('item' || n)::uuid AS item, now() - make_interval(mins => $3::int + n % $4::int) AS at) AS one`;

const JOBS = `
  INSERT INTO stage_jobs (id, stage, subject_id, item_id, message_key, state, attempts, max_attempts, fence, correlation_id, requested_at, started_at, finished_at)
  SELECT gen_random_uuid(), stage, item, item, item::text, 'done', 1, 3, 1, item, at, at, at ${OF_EACH_STAGE}`;

const EVENTS = `
  INSERT INTO event_history (seq, id, type, subject_id, item_id, stage, correlation_id, occurred_at)
  SELECT nextval('event_history_numbers'), gen_random_uuid(), stage || kind, item, item, stage, item, at
  ${OF_EACH_STAGE} CROSS JOIN unnest(ARRAY['.requested','.completed']) AS kind`;
