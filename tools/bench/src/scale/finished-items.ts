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

const ITEMS_PER_STATEMENT = 100_000;
const TABLES = ['content_items', 'stage_jobs', 'event_history'];

/**
 * Fills an empty database with items that the product finished with within the last 30 days. Indexes are dropped first and built again from
 * the full tables: keeping those of 120 million rows up to date would take hours.
 */
export async function fillWithFinishedItems(database: Database, items: number, report: (text: string) => void): Promise<void> {
  const { sql } = database;
  const indexes = await sql.query<{ drop: string; build: string }>(INDEXES, [TABLES]);
  for (const { drop } of indexes) await sql.query(drop);
  for (let first = 1; first <= items; first += ITEMS_PER_STATEMENT) {
    const last = Math.min(first + ITEMS_PER_STATEMENT - 1, items);
    await addFinishedItems(database, { first, last, minutesAgo: 0, overMinutes: 30 * 24 * 60 });
    report(`${last} of ${items} finished items`);
  }
  await sql.query(`SET maintenance_work_mem = '1GB'`);
  for (const { build } of indexes) {
    await sql.query(build);
    report(build);
  }
  for (const table of TABLES) await sql.query(`VACUUM (ANALYZE) ${table}`);
  await sql.query('CHECKPOINT');
}

/** The statements that drop and build each index, except for those that foreign keys need. */
const INDEXES = `
  SELECT CASE WHEN c.oid IS NULL THEN format('DROP INDEX %s', indexrelid::regclass)
      ELSE format('ALTER TABLE %s DROP CONSTRAINT %I', conrelid::regclass, conname) END AS drop,
    CASE WHEN c.oid IS NULL THEN pg_get_indexdef(indexrelid)
      ELSE format('ALTER TABLE %s ADD CONSTRAINT %I %s', conrelid::regclass, conname, pg_get_constraintdef(c.oid)) END AS build
  FROM pg_index i LEFT JOIN pg_constraint c ON c.conindid = indexrelid AND c.conrelid = indrelid
  WHERE indrelid = ANY($1::regclass[]) AND NOT EXISTS (SELECT FROM pg_constraint f WHERE f.contype = 'f' AND f.conindid = indexrelid)`;

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
