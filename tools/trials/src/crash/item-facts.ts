import type { Database } from '@autoposter/persistence';

export interface JobFacts {
  id: string;
  stage: string;
  state: string;
  fence: number;
  attempts: number;
  owner: string | null;
  /** Milliseconds since 1970, `null` without a lease. */
  leaseUntil: number | null;
}

/** The current state of one item and its jobs. */
export interface ItemFacts {
  itemId: string | null;
  state: string | null;
  errors: { stage: string; message: string; kind?: string }[];
  jobs: JobFacts[];
}

const ITEM = `SELECT id, state, processing_errors AS errors FROM content_items WHERE source_id = $1`;
/** Jobs of the item and the collect job of its subreddit. */
const JOBS = `
  SELECT j.id, j.stage, j.state, j.fence::int AS fence, j.attempts, j.lease_owner AS owner,
    (extract(epoch FROM j.lease_until) * 1000)::float8 AS "leaseUntil"
  FROM stage_jobs j
  WHERE j.item_id = $1::uuid OR (j.stage = 'collect' AND j.message_key = $2)`;

export async function readItem(database: Database, sourceId: string, subredditId: string): Promise<ItemFacts> {
  const [item] = await database.sql.query<{ id: string; state: string; errors: ItemFacts['errors'] }>(ITEM, [sourceId]);
  const jobs = await database.sql.query<JobFacts>(JOBS, [item?.id ?? null, subredditId]);
  return { itemId: item?.id ?? null, state: item?.state ?? null, errors: item?.errors ?? [], jobs };
}

/** Database records of a posted item, for the assessment. */
export interface Effects {
  attempts: { state: string; caption: string; mediaId: string | null; settledBy: string | null }[];
  queueStatuses: string[];
  captions: number;
  /** Files by role and position. */
  files: string[];
  verdicts: number;
  /** Number of facts by type. */
  facts: Record<string, number>;
  /** Rows of outbox and former bus, which have no reader on PostgreSQL. */
  messages: number;
}

export async function readEffects(database: Database, itemId: string): Promise<Effects> {
  const rows = async <R>(text: string): Promise<R[]> => database.sql.query<R>(text, [itemId]);
  const attempts = await rows<Effects['attempts'][number]>(
    `SELECT state, caption, media_id AS "mediaId", settled_by AS "settledBy" FROM publish_attempts WHERE item_id = $1`,
  );
  const queue = await rows<{ status: string }>(`SELECT status FROM queue_items WHERE item_id = $1`);
  const captions = await rows(`SELECT 1 FROM captions WHERE item_id = $1`);
  const files = await rows<{ file: string }>(`SELECT role || ' ' || position AS file FROM media_files WHERE item_id = $1`);
  const verdicts = await rows(`SELECT 1 FROM rights_verdicts WHERE item_id = $1`);
  const facts = await rows<{ type: string; count: number }>(
    `SELECT type, count(*)::int AS count FROM event_history WHERE item_id = $1 GROUP BY type`,
  );
  const [left] = await database.sql.query<{ messages: number }>(
    `SELECT (SELECT count(*)::int FROM outbox) + (SELECT count(*)::int FROM bus_messages) AS messages`,
  );
  return {
    attempts,
    queueStatuses: queue.map(({ status }) => status),
    captions: captions.length,
    files: files.map(({ file }) => file),
    verdicts: verdicts.length,
    facts: Object.fromEntries(facts.map(({ type, count }) => [type, count])),
    messages: left?.messages ?? 0,
  };
}
