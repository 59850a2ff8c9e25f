import { type JobState, LIMITS, type Stage, STAGES, type WaitingSource } from '@autoposter/contracts';
import { SqlQueries } from '../database/sql-repository';
import { STAGE_SQL } from '../database/stage-sql';
import { TURN } from './stage-job.repository';

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

/** In the order of the index `stage_jobs_postponed`. */
const postponed = (state: JobState): string =>
  `(SELECT count(*)::int FROM (SELECT FROM stage_jobs WHERE stage = s.stage AND state = '${state}' ORDER BY id LIMIT $2) AS found)`;

/** What the jobs of all stages do right now. Nothing here reads all open jobs, because administrators and metrics ask every few seconds. */
export class JobCountQueries extends SqlQueries {
  /**
   * Of each stage; counts end at `atMost`, except that of running jobs, which slots limit, and the oldest job is one of the next as many. The orders make
   * an index cheaper than the whole table.
   */
  async pressure(atMost: number = LIMITS.countedJobs): Promise<StagePressure[]> {
    return this.select<StagePressure>(
      `SELECT stage, least(waiting, $2)::int AS waiting, ${postponed('waiting')} AS postponed, ${postponed('retrying')} AS retrying,
         (SELECT count(*)::int FROM stage_jobs WHERE stage = s.stage AND state = 'running') AS running,
         floor(extract(epoch FROM now() - oldest))::int AS "oldestWaitingSeconds"
       FROM unnest($1::text[]) AS s (stage) CROSS JOIN LATERAL (
         SELECT count(*) AS waiting, min(requested_at) AS oldest FROM (VALUES (true), (false)) AS kind (is_for_person) CROSS JOIN LATERAL (
           SELECT requested_at FROM stage_jobs WHERE stage = s.stage AND state = 'requested' AND for_person = is_for_person
           ORDER BY ${TURN}, id LIMIT $2) AS next) AS requested`,
      [STAGES, atMost],
    );
  }

  /**
   * Sources of the next `among` requested jobs of each stage: all that people wait for, then the subreddits with the most automatic ones.
   */
  async waitingBySource(limit: number, among: number = LIMITS.jobsWithSource): Promise<(WaitingSource & { stage: Stage })[]> {
    return this.select<WaitingSource & { stage: Stage }>(
      `SELECT stage, source, "forPerson", waiting FROM (
         SELECT j.stage, j.for_person AS "forPerson", 'r/' || s.name AS source, count(*)::int AS waiting,
                row_number() OVER (PARTITION BY j.stage ORDER BY j.for_person DESC, count(*) DESC, s.name) AS place
         FROM unnest($2::text[]) AS of (stage) CROSS JOIN LATERAL (
             SELECT stage, for_person, item_id FROM stage_jobs WHERE stage = of.stage AND state = 'requested'
             ORDER BY for_person DESC, ${TURN}, id LIMIT $3) j
           LEFT JOIN content_items i ON i.id = j.item_id AND NOT j.for_person LEFT JOIN subreddits s ON s.id = i.subreddit_id
         GROUP BY j.stage, j.for_person, s.name) sources
       WHERE place <= $1 ORDER BY stage, place`,
      [limit, STAGES, among],
    );
  }

  /** Running jobs with their subject, oldest first. */
  async running(): Promise<RunningJobRow[]> {
    return this.select<RunningJobRow>(
      `SELECT j.id, j.stage, j.item_id AS "itemId", coalesce(i.title, 'r/' || s.name) AS title, j.attempts, j.lease_owner AS "leaseOwner",
              coalesce(j.started_at, j.requested_at) AS "startedAt"
       FROM stage_jobs j LEFT JOIN content_items i ON i.id = j.item_id
         LEFT JOIN collect_runs r ON j.stage = ${STAGE_SQL.collect} AND r.id = j.subject_id LEFT JOIN subreddits s ON s.id = r.subreddit_id
       WHERE j.state = 'running' ORDER BY j.started_at, j.id`,
    );
  }
}
