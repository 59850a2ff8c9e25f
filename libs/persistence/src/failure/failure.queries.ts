import { CAPTION_STAGE, PUBLISH_STAGE, RIGHTS_STAGE, type FailureEntry, type Platform } from '@autoposter/contracts';
import { type Failure, ITEM_FLOW, type RightsCheck } from '@autoposter/domain';
import { SqlQueries } from '../database/sql-repository';
import { STAGE_SQL } from '../database/stage-sql';
import { NO_QUESTION } from '../queue-item/queue-item.repository';

export interface FailureRow {
  id: string;
  kind: FailureEntry['kind'];
  title: string;
  platform: Platform | null;
  stage: string | null;
  code: string | null;
  message: string | null;
  next_action: string | null;
  at: Date;
}

/** Failed posts with the same code and the same codes of the platform; title and failure are those of the newest. */
interface PublishCause {
  cause: string;
  count: number;
  at: Date;
  title: string;
  failure: Failure | null;
}

/** The newest failed queue item of each post that is ready to be queued again. */
const RETRYABLE = `retryable AS (
  SELECT DISTINCT ON (q.item_id) q.id, q.account_id, i.title, q.failure, q.queued_at, coalesce(q.finished_at, q.queued_at) AS at,
    concat_ws('/', coalesce(q.failure ->> 'code', q.failure ->> 'kind', 'unknown'), q.failure -> 'detail' ->> 'code', q.failure -> 'detail' ->> 'subcode') AS cause
  FROM queue_items q JOIN content_items i ON i.id = q.item_id
  WHERE q.status = 'failed' AND i.state = '${ITEM_FLOW.readyState}'
  ORDER BY q.item_id, coalesce(q.finished_at, q.queued_at) DESC)`;

/** A post that needs an administrator, with the failure that says why. */
export interface PublishProblem {
  /** Of the queue item. */
  id: string;
  /** In whose queue it is. */
  accountId: string;
  itemId: string;
  title: string;
  kind: 'publish_failed' | 'publish_unknown' | 'publish_overdue' | 'publish_unchecked' | 'rights_held';
  step: string;
  failure: Failure | null;
  /** Of a post that its copyright check holds. */
  rightsCheck: RightsCheck | null;
}

/** Failures between two times that the alert address is notified about. */
interface FailureCounts {
  failedPublishes: number;
  /** Publish attempts with an unknown outcome that an administrator has to resolve. */
  unresolvedPublishes: number;
  deadJobs: number;
}

/** What a post waits for that nothing publishes, or whose outcome nothing looks up. */
const DELAYED_STEP = `CASE WHEN q.outcome IS NULL THEN ${STAGE_SQL.publish} ELSE ${STAGE_SQL.reconcile} END`;

/**
 * In this order: failed and blocked items, published posts that were removed at their source, failed queue items, unknown publish outcomes
 * that need an administrator, failed collect runs, dead jobs that did not fail their item, failed new captions, providers that need an
 * administrator. Item failures carry their own seen mark; the others count from $1.
 */
const UNSEEN = `
  SELECT i.id, 'item' AS kind, i.title, i.platform, coalesce(i.failed_stage, '${RIGHTS_STAGE}') AS stage,
         i.processing_errors -> -1 ->> 'kind' AS code, i.processing_errors -> -1 ->> 'message' AS message,
         i.processing_errors -> -1 ->> 'nextAction' AS next_action, i.updated_at AS at
  FROM content_items i WHERE i.state IN ('failed','blocked') AND i.failure_seen_at IS NULL
  UNION ALL
  SELECT i.id, 'item', i.title, i.platform, ${STAGE_SQL.publish}, i.processing_errors -> -1 ->> 'kind', i.processing_errors -> -1 ->> 'message',
         i.processing_errors -> -1 ->> 'nextAction', i.source_removed_at
  FROM content_items i WHERE i.source_removed_at IS NOT NULL AND i.state = 'posted' AND i.failure_seen_at IS NULL
  UNION ALL
  SELECT q.id, 'publish', i.title, i.platform, ${STAGE_SQL.publish}, q.failure ->> 'kind', q.failure ->> 'message', q.failure ->> 'nextAction', coalesce(q.finished_at, q.queued_at)
  FROM queue_items q JOIN content_items i ON i.id = q.item_id
  WHERE q.status = 'failed' AND coalesce(q.finished_at, q.queued_at) > $1
  UNION ALL
  SELECT q.id, 'publish', i.title, i.platform, ${STAGE_SQL.reconcile}, q.failure ->> 'kind', q.failure ->> 'message', q.failure ->> 'nextAction', a.updated_at
  FROM publish_attempts a JOIN queue_items q ON q.id = a.queue_item_id JOIN content_items i ON i.id = a.item_id
  WHERE a.state = 'unknown' AND q.failure IS NOT NULL AND ${NO_QUESTION} IS NOT TRUE AND a.updated_at > $1
  UNION ALL
  SELECT q.id, 'publish', i.title, i.platform, ${DELAYED_STEP}, q.failure ->> 'kind', q.failure ->> 'message', q.failure ->> 'nextAction', coalesce(q.scheduled_for, q.queued_at)
  FROM queue_items q JOIN content_items i ON i.id = q.item_id
  WHERE q.status IN ('pending','scheduled','posting') AND ${NO_QUESTION} AND q.failure IS NOT NULL
  UNION ALL
  SELECT r.id, 'collect', 'r/' || s.name, 'reddit', ${STAGE_SQL.collect}, r.failure ->> 'kind', r.failure ->> 'message', r.failure ->> 'nextAction', r.finished_at
  FROM collect_runs r JOIN subreddits s ON s.id = r.subreddit_id WHERE r.state = 'failed' AND r.finished_at > $1
  UNION ALL
  SELECT i.id, 'item', i.title, i.platform, j.stage, j.failure ->> 'kind', j.failure ->> 'message', j.failure ->> 'nextAction', j.finished_at
  FROM stage_jobs j JOIN content_items i ON i.id = j.item_id
  WHERE j.state = 'dead' AND j.finished_at > $1 AND (j.stage, i.state) IN ${STAGE_SQL.activeStates}
    AND NOT EXISTS (SELECT 1 FROM stage_jobs n WHERE n.item_id = j.item_id AND n.stage = j.stage AND n.id > j.id)
  UNION ALL
  SELECT i.id, 'item', i.title, i.platform, j.stage, j.failure ->> 'kind', j.failure ->> 'message', j.failure ->> 'nextAction', j.finished_at
  FROM stage_jobs j JOIN content_items i ON i.id = j.item_id JOIN captions c ON c.item_id = i.id
  WHERE j.state = 'dead' AND j.finished_at > $1 AND j.stage = '${CAPTION_STAGE}' AND i.state = 'ready' AND j.finished_at > greatest(c.processed_at, c.edited_at)
    AND NOT EXISTS (SELECT 1 FROM stage_jobs n WHERE n.item_id = j.item_id AND n.stage = j.stage AND n.id > j.id)
  UNION ALL
  SELECT p.incident, 'provider', initcap(p.provider), NULL, '${CAPTION_STAGE}', p.failure ->> 'kind', p.failure ->> 'message', p.failure ->> 'nextAction', p.refused_at
  FROM ai_providers p WHERE p.failure ->> 'kind' IN ('not_authorised','not_configured','not_offered') AND p.refused_at > $1
  ORDER BY at DESC, id`;

/** Failures over all aggregates. */
export class FailureQueries extends SqlQueries {
  /** Failures that are not marked as seen, newest first; kinds without such a mark only since `since`. */
  async unseen(since: Date, limit: number): Promise<FailureRow[]> {
    return this.select<FailureRow>(`${UNSEEN} LIMIT ${limit}`, [since]);
  }

  /**
   * Posts that failed, have an unknown outcome that a person has to resolve or that nothing looks up, are overdue or held, newest first; of each kind at most `limit`. Those of the first two since
   * `after`; `codes` are those of delays.
   */
  async publishProblems(after: Date, until: Date, codes: readonly string[], limit: number): Promise<PublishProblem[]> {
    return this.select<PublishProblem>(
      `SELECT id, "accountId", "itemId", title, kind, step, failure, "rightsCheck", at FROM (SELECT *, row_number() OVER (PARTITION BY kind ORDER BY at DESC, id) AS place FROM (
         SELECT q.id, q.account_id AS "accountId", i.id AS "itemId", i.title, 'publish_failed' AS kind, ${STAGE_SQL.publish} AS step, a.failure, NULL::jsonb AS "rightsCheck", a.updated_at AS at
         FROM publish_attempts a JOIN queue_items q ON q.id = a.queue_item_id JOIN content_items i ON i.id = a.item_id
         WHERE a.state = 'failed' AND a.updated_at > $1 AND a.updated_at <= $2
         UNION ALL
         SELECT q.id, q.account_id, i.id, i.title, 'publish_unknown', ${STAGE_SQL.reconcile}, q.failure, NULL, a.updated_at
         FROM publish_attempts a JOIN queue_items q ON q.id = a.queue_item_id JOIN content_items i ON i.id = a.item_id
         WHERE a.state = 'unknown' AND q.failure IS NOT NULL AND ${NO_QUESTION} IS NOT TRUE AND a.updated_at > $1 AND a.updated_at <= $2
         UNION ALL
         SELECT q.id, q.account_id, i.id, i.title, CASE WHEN q.outcome IS NULL THEN 'publish_overdue' ELSE 'publish_unchecked' END, ${DELAYED_STEP}, q.failure, NULL, coalesce(q.scheduled_for, q.queued_at)
         FROM queue_items q JOIN content_items i ON i.id = q.item_id
         WHERE q.status IN ('pending','scheduled','posting') AND ${NO_QUESTION} AND q.failure ->> 'code' = ANY($3::text[])
         UNION ALL
         SELECT q.id, q.account_id, i.id, i.title, 'rights_held', ${STAGE_SQL.publish}, NULL, a.rights_check, a.updated_at
         FROM publish_attempts a JOIN queue_items q ON q.id = a.queue_item_id JOIN content_items i ON i.id = a.item_id
         WHERE a.state IN ('open','container') AND (a.rights_check ->> 'held')::boolean AND a.rights_check ->> 'releasedBy' IS NULL) problems) placed
       WHERE place <= $4 ORDER BY at DESC, id`,
      [after, until, codes, limit],
    );
  }

  /** Failed posts of one account or of all that can be retried, by cause; the most frequent cause first. */
  async publishCauses(limit: number, accountId: string | null = null): Promise<PublishCause[]> {
    return this.select<PublishCause>(
      `WITH ${RETRYABLE}
       SELECT cause, count(*)::int AS count, max(at) AS at, (array_agg(title ORDER BY at DESC))[1] AS title,
         (array_agg(failure ORDER BY at DESC))[1] AS failure
       FROM retryable WHERE $2::uuid IS NULL OR account_id = $2 GROUP BY cause ORDER BY count(*) DESC, cause LIMIT $1`,
      [limit, accountId],
    );
  }

  /** Queue items of one account or of all that failed for this cause, in the order in which they were queued. */
  async failedWith(cause: string, limit: number, accountId: string | null = null): Promise<string[]> {
    return this.column(
      `WITH ${RETRYABLE} SELECT id FROM retryable WHERE cause = $1 AND ($3::uuid IS NULL OR account_id = $3) ORDER BY queued_at, id LIMIT $2`,
      [cause, limit, accountId],
    );
  }

  async countBetween(after: Date, until: Date): Promise<FailureCounts> {
    return this.selectOne<FailureCounts>(
      `SELECT (SELECT count(*)::int FROM publish_attempts WHERE state = 'failed' AND updated_at > $1 AND updated_at <= $2) AS "failedPublishes",
              (SELECT count(*)::int FROM publish_attempts a JOIN queue_items q ON q.id = a.queue_item_id
               WHERE a.state = 'unknown' AND q.failure IS NOT NULL AND ${NO_QUESTION} IS NOT TRUE AND a.updated_at > $1 AND a.updated_at <= $2) AS "unresolvedPublishes",
              (SELECT count(*)::int FROM stage_jobs WHERE state = 'dead' AND stage <> $3 AND finished_at > $1 AND finished_at <= $2) AS "deadJobs"`,
      [after, until, PUBLISH_STAGE],
    );
  }
}
