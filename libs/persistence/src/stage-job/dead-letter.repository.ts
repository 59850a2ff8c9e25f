import type { Stage } from '@autoposter/contracts';
import type { Failure } from '@autoposter/domain';
import { SqlQueries } from '../database/sql-repository';
import { STAGE_SQL } from '../database/stage-sql';

/** A dead job that is still unresolved. */
export interface DeadLetterRow {
  id: string;
  stage: Stage;
  itemId: string | null;
  /** Title of the item, or name of the subreddit. */
  title: string | null;
  failure: Failure | null;
  attempts: number;
  diedAt: Date;
}

export class DeadLetterRepository extends SqlQueries {
  /** A page, newest first; `offset` counts rows. */
  async list(stage: Stage | null, offset: number, limit: number): Promise<DeadLetterRow[]> {
    return this.select<DeadLetterRow>(
      `SELECT j.id, j.stage, j.item_id AS "itemId", coalesce(i.title, 'r/' || s.name) AS title, j.failure, j.attempts, j.finished_at AS "diedAt"
       ${OPEN} ORDER BY j.finished_at DESC, j.id DESC OFFSET $2 LIMIT $3`,
      [stage, offset, limit],
    );
  }

  /** Ids of a stage, oldest first. */
  ids(stage: Stage, limit: number): Promise<string[]> {
    return this.column(`SELECT j.id ${OPEN} ORDER BY j.finished_at, j.id LIMIT $2`, [stage, limit]);
  }

  async counts(): Promise<Partial<Record<Stage, number>>> {
    const { rows } = await this.run<{ stage: Stage; count: number }>(`SELECT j.stage, count(*)::int AS count ${OPEN} GROUP BY j.stage`, [
      null,
    ]);
    return Object.fromEntries(rows.map(({ stage, count }) => [stage, count]));
  }
}

/**
 * Conditions under which a dead job is unresolved, by its subject: the item is still at this stage and has no later job of it; the collect run is the newest
 * of its subreddit; the attempt's item was neither published nor queued again; the attempt's outcome is still unknown. Collect runs are looked up one by one in an
 * index: a join would read all of them, even for few dead jobs.
 */
export const DEAD_AND_OPEN = `
  FROM stage_jobs j
  LEFT JOIN content_items i ON i.id = j.item_id
  LEFT JOIN LATERAL (SELECT * FROM collect_runs run WHERE j.stage = ${STAGE_SQL.collect} AND run.id = j.subject_id LIMIT 1) r ON true
  LEFT JOIN subreddits s ON s.id = r.subreddit_id
  LEFT JOIN LATERAL (
    SELECT n.created_at, n.id FROM collect_runs n WHERE n.subreddit_id = s.id AND n.state IN ('running','done','failed')
    ORDER BY n.created_at DESC, n.id DESC LIMIT 1) newest ON true
  LEFT JOIN publish_attempts a ON j.stage IN ${STAGE_SQL.aboutPublishAttempts} AND a.id = j.subject_id
  WHERE j.state = 'dead' AND CASE
      WHEN j.stage = ${STAGE_SQL.collect} THEN s.id IS NOT NULL AND coalesce((newest.created_at, newest.id) <= (r.created_at, r.id), true)
      WHEN j.stage = ${STAGE_SQL.reconcile} THEN a.state = 'unknown'
      WHEN j.stage = ${STAGE_SQL.publish} THEN i.state = 'ready' AND NOT EXISTS (
        SELECT 1 FROM publish_attempts n WHERE n.item_id = a.item_id AND n.id > a.id)
      ELSE (i.state = 'failed' AND i.failed_stage = j.stage OR (j.stage, i.state) IN ${STAGE_SQL.activeStates})
       AND NOT EXISTS (
        SELECT 1 FROM stage_jobs n WHERE n.item_id = j.item_id AND n.stage = j.stage AND n.id > j.id)
    END`;

const OPEN = `${DEAD_AND_OPEN} AND ($1::text IS NULL OR j.stage = $1)`;
