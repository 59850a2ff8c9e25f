import type { Database } from '@autoposter/persistence';

/** An item, with the numbers of its attempts and jobs. */
export interface DuePost {
  accountId: string;
  attempts: number;
  jobs: number;
  startedAtMs: number | null;
  endedAtMs: number | null;
}

interface DueVerdict {
  doubles: number;
  misses: number;
  /** Posts that were started before the interval to the post before them was over. */
  early: number;
  /** Milliseconds from the end of the interval to the start of each post but the first of its account, with the time when the interval ended. */
  lateness: { dueAtMs: number; lateMs: number }[];
}

const POSTS = `
  SELECT q.account_id AS "accountId", count(DISTINCT a.id)::int AS attempts, count(DISTINCT j.id)::int AS jobs,
    (extract(epoch FROM min(a.created_at)) * 1000)::float8 AS "startedAtMs", (extract(epoch FROM max(q.finished_at)) * 1000)::float8 AS "endedAtMs"
  FROM queue_items q JOIN content_items i ON i.id = q.item_id
  LEFT JOIN publish_attempts a ON a.item_id = q.item_id LEFT JOIN stage_jobs j ON j.item_id = q.item_id
  WHERE i.source_id LIKE 'queued%'
  GROUP BY q.item_id, q.account_id`;

export const readDuePosts = (database: Database): Promise<DuePost[]> => database.sql.query<DuePost>(POSTS);

/** Checks in the tables that each post was started once, and only after the interval to the previous post of its account. */
export function auditDuePosts(posts: readonly DuePost[], intervalMs: number): DueVerdict {
  const verdict: DueVerdict = { doubles: 0, misses: 0, early: 0, lateness: [] };
  const started: (DuePost & { startedAtMs: number })[] = [];
  for (const { startedAtMs, ...post } of posts) {
    if (post.attempts > 1 || post.jobs > 1) verdict.doubles += 1;
    if (startedAtMs === null || post.jobs === 0) verdict.misses += 1;
    if (startedAtMs !== null) started.push({ startedAtMs, ...post });
  }
  started.sort((one, other) => one.startedAtMs - other.startedAtMs);
  const before = new Map<string, DuePost>();
  for (const post of started) {
    const last = before.get(post.accountId);
    before.set(post.accountId, post);
    if (last === undefined) continue;
    const dueAtMs = (last.endedAtMs ?? Infinity) + intervalMs;
    if (post.startedAtMs < dueAtMs) verdict.early += 1;
    else verdict.lateness.push({ dueAtMs, lateMs: post.startedAtMs - dueAtMs });
  }
  return verdict;
}
