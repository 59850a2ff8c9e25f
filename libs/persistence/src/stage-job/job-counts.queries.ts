import type { Stage, WaitingSource } from '@autoposter/contracts';
import { SqlQueries } from '../database/sql-repository';
import { STAGE_SQL } from '../database/stage-sql';

/** Number of jobs of a stage by state; `oldestWaitingSeconds` is null without a requested job. */
interface StagePressure {
  stage: Stage;
  waiting: number;
  running: number;
  postponed: number;
  retrying: number;
  oldestWaitingSeconds: number | null;
}

export interface RunningJobRow {
  id: string;
  stage: Stage;
  itemId: string | null;
  title: string | null;
  attempts: number;
  leaseOwner: string | null;
  startedAt: Date;
}

/** What the jobs of all stages do right now. */
export class JobCountQueries extends SqlQueries {
  /** Of each stage with open jobs; seconds on the database clock. */
  async pressure(): Promise<StagePressure[]> {
    const { rows } = await this.run<StagePressure>(
      `SELECT stage, count(*) FILTER (WHERE state = 'requested')::int AS waiting, count(*) FILTER (WHERE state = 'running')::int AS running,
              count(*) FILTER (WHERE state = 'waiting')::int AS postponed, count(*) FILTER (WHERE state = 'retrying')::int AS retrying,
              floor(extract(epoch FROM now() - min(requested_at) FILTER (WHERE state = 'requested')))::int AS "oldestWaitingSeconds"
       FROM stage_jobs WHERE state IN ('requested','running','waiting','retrying') GROUP BY stage`,
    );
    return rows;
  }

  /** Requested jobs of each stage by source: all that people wait for, then the subreddits with the most automatic ones. */
  async waitingBySource(limit: number): Promise<(WaitingSource & { stage: Stage })[]> {
    const { rows } = await this.run<WaitingSource & { stage: Stage }>(
      `SELECT stage, source, "forPerson", waiting FROM (
         SELECT j.stage, j.for_person AS "forPerson", 'r/' || s.name AS source, count(*)::int AS waiting,
                row_number() OVER (PARTITION BY j.stage ORDER BY j.for_person DESC, count(*) DESC, s.name) AS place
         FROM stage_jobs j LEFT JOIN content_items i ON i.id = j.item_id AND NOT j.for_person LEFT JOIN subreddits s ON s.id = i.subreddit_id
         WHERE j.state = 'requested' GROUP BY j.stage, j.for_person, s.name) sources
       WHERE place <= $1 ORDER BY stage, place`,
      [limit],
    );
    return rows;
  }

  /** Running jobs with their subject, oldest first. */
  async running(): Promise<RunningJobRow[]> {
    const { rows } = await this.run<RunningJobRow>(
      `SELECT j.id, j.stage, j.item_id AS "itemId", coalesce(i.title, 'r/' || s.name) AS title, j.attempts, j.lease_owner AS "leaseOwner",
              coalesce(j.started_at, j.requested_at) AS "startedAt"
       FROM stage_jobs j LEFT JOIN content_items i ON i.id = j.item_id
         LEFT JOIN collect_runs r ON j.stage = ${STAGE_SQL.collect} AND r.id = j.subject_id LEFT JOIN subreddits s ON s.id = r.subreddit_id
       WHERE j.state = 'running' ORDER BY j.started_at, j.id`,
    );
    return rows;
  }
}
