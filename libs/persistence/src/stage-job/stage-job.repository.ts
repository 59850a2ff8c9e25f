import { type JobState, LIMITS, type Stage, STAGES } from '@autoposter/contracts';
import { cutText, type Failure, type Side } from '@autoposter/domain';
import { v7 as uuidv7 } from 'uuid';
import { IdRepository } from '../database/sql-repository';
import { STAGE_SQL } from '../database/stage-sql';
import { type ItemWrite, RefusedMoves, statementsWithJobs, type WriteWithJob } from '../content-item/item-moves';
import { BURST_SPACING_SECONDS, type JobEnding, MESSAGE_LOST_AFTER_SECONDS, newStageJob, StageJob } from './stage-job.entity';

const UNIQUE_VIOLATION = '23505';

export interface ClaimRequest {
  stage: Stage;
  limit: number;
  owner: string;
  leaseSeconds: number;
  /** Only jobs that a person waits for. */
  peopleOnly: boolean;
  /** Jobs that this process still holds. */
  except: readonly string[];
}

export interface ClaimedJob {
  job: StageJob;
  hadLapsed: boolean;
}

export type NewJob = Pick<StageJob, 'stage' | 'subjectId' | 'itemId' | 'messageKey' | 'maxAttempts' | 'correlationId'> & Partial<StageJob>;

/** A claimed job: writes with an older fencing token are refused. */
export interface JobClaim {
  id: string;
  fence: number;
}

/** The end of an attempt. Times are seconds from now on the database clock. */
export type JobEnd =
  | { state: 'done' | 'cancelled' }
  | { state: 'dead'; failure: Failure }
  | { state: 'retrying'; inSeconds: number; failure: Failure; /** Whether it used up an attempt; default `true`. */ counts?: boolean }
  /** Returns the job without a failure: the attempt is not counted, and the job keeps its place among the requested ones. */
  | { state: 'released' }
  | { state: 'waiting'; inSeconds: number; reason: string; cause?: Pick<Failure, 'kind' | 'side'> };

/** The end of an attempt that still holds its job. */
export interface AttemptEnd extends JobClaim {
  end: JobEnd;
  /** The step in which it ended; `null` if none had begun. */
  step: string | null;
  /** Journal entries that a later attempt must not find. */
  forget: readonly string[];
}

export class JobRepository extends IdRepository<StageJob> {
  protected readonly entity = StageJob;

  private readonly writeMoves = async (moves: readonly WriteWithJob[]): Promise<void> => {
    for (const { text, values, size } of statementsWithJobs(moves)) {
      const { count } = await this.send(text, values);
      if (count !== size) throw new RefusedMoves(size, count);
    }
  };

  /** Returns `null` if a job of this stage and subject is open. */
  create(job: NewJob): Promise<StageJob | null> {
    return this.insert(
      { id: uuidv7(), state: 'requested', ...job },
      `ON CONFLICT (stage, subject_id) WHERE state IN ('requested','running','waiting','retrying') DO NOTHING`,
    );
  }

  /**
   * As `create`, together with the move or the insertion of its item; returns `null` and writes nothing if the item changed, is known already or
   * has an open job of the stage.
   */
  async createWith(item: ItemWrite, job: NewJob): Promise<StageJob | null> {
    const given = { id: uuidv7(), state: 'requested' as const, ...job };
    const opened = newStageJob(given);
    const write = { item, job: this.columnsOf(given) };
    if (this.deferred?.areConditional && !('insert' in item)) {
      if (this.deferred.has(item.id)) await this.deferred.flush();
      this.deferred.add(this.writeMoves, write, item.id);
      return opened;
    }
    const [statement] = statementsWithJobs([write]);
    return statement !== undefined && (await this.run(statement.text, statement.values)).count === 1 ? opened : null;
  }

  /** All jobs of an item, oldest request first. A job requested again after a wait may have started before its request time. */
  ofItem(itemId: string): Promise<StageJob[]> {
    return this.rows('SELECT * FROM stage_jobs WHERE item_id = $1 ORDER BY least(requested_at, started_at), id', [itemId]);
  }

  /** Makes all waiting jobs of a stage due, so that they check their condition again. */
  async makeWaitingDue(stage: Stage): Promise<void> {
    await this.run(`UPDATE stage_jobs SET due_at = now() WHERE stage = $1 AND state = 'waiting' AND due_at > now()`, [stage]);
  }

  findMany(ids: readonly string[]): Promise<StageJob[]> {
    return this.rows('SELECT * FROM stage_jobs WHERE id = ANY($1::uuid[])', [ids]);
  }

  findOpen(stage: Stage, subjectId: string): Promise<StageJob | null> {
    return this.row(
      `SELECT * FROM stage_jobs WHERE stage = $1 AND subject_id = $2 AND state IN ('requested','running','waiting','retrying')`,
      [stage, subjectId],
    );
  }

  /**
   * Claims jobs of a stage: first those with an expired lease, then those that a person waits for, then the oldest, where the requests of a burst
   * are spaced by `BURST_SPACING_SECONDS`. Increments attempt and fence and sets the lease on the database clock. Skips rows that another worker is
   * claiming. A publishing account has one running job at a time: none is claimed if another worker claims one concurrently, or if two of these
   * exclude each other.
   */
  async claimNext(request: ClaimRequest): Promise<ClaimedJob[]> {
    try {
      return await this.claimMany([request]);
    } catch (error) {
      // a claim can violate no other unique index than that of running jobs per account
      if ((error as { code?: string }).code === UNIQUE_VIOLATION) return [];
      throw error;
    }
  }

  /** As `claimNext`, for several stages of one worker without publishing accounts. */
  async claimMany(requests: readonly ClaimRequest[]): Promise<ClaimedJob[]> {
    const [{ owner, leaseSeconds } = { owner: '', leaseSeconds: 0 }] = requests;
    const { rows } = await this.run(CLAIM_NEXT, [owner, leaseSeconds, JSON.stringify(requests)]);
    return rows.map((row) => ({ job: this.toEntity(row), hadLapsed: row['had_lapsed'] === true }));
  }

  /** Number of jobs of a stage that are requested or running; counts up to `atMost`. The order makes an index cheaper than the whole table. */
  countUnfinished(stage: Stage, atMost: number = LIMITS.countedJobs): Promise<number> {
    return this.count(
      `SELECT least(count(*), $2)::int FROM (
         (SELECT FROM stage_jobs WHERE stage = $1 AND state = 'requested' ORDER BY for_person DESC, ${TURN}, id LIMIT $2)
         UNION ALL (SELECT FROM stage_jobs WHERE stage = $1 AND state = 'running')) AS unfinished`,
      [stage, atMost],
    );
  }

  /** Whether the job is held with this fence; no other worker can take it before the transaction ends. */
  async lockHeld({ id, fence }: JobClaim): Promise<boolean> {
    return this.affectsRow(`SELECT FROM stage_jobs WHERE id = $1 AND fence = $2 AND state = 'running' FOR SHARE`, [id, fence]);
  }

  /** Returns `false` if the job is no longer held with this fence. */
  async renew({ id, fence }: JobClaim, leaseSeconds: number): Promise<boolean> {
    return this.affectsRow(
      `UPDATE stage_jobs SET lease_until = clock_timestamp() + make_interval(secs => $3) WHERE id = $1 AND fence = $2 AND state = 'running'`,
      [id, fence, leaseSeconds],
    );
  }

  /** Stores a step's output, so that a resumed attempt does not repeat the step. Clears the intent. */
  async journal({ id, fence }: JobClaim, step: string, output: unknown): Promise<boolean> {
    return (await this.journalMany([{ id, fence }], step, output)).has(id);
  }

  /** As `journal`, for several jobs; returns the ids of those that were still held. */
  async journalMany(claims: readonly JobClaim[], step: string, output: unknown): Promise<Set<string>> {
    const entry = JSON.stringify({ [step]: output ?? null });
    return new Set(await this.column<string>(JOURNAL, [claims.map(({ id }) => id), claims.map(({ fence }) => fence), entry]));
  }

  /**
   * Records that an irreversible step is about to run, and renews the lease; the step's journal entry and the end of the attempt clear it.
   * Returns `false` if the job is held with another fence or the lease expired on the database clock: a process on a suspended machine
   * does not notice, because the monotonic clock stops.
   */
  async recordIntent({ id, fence }: JobClaim, step: string, leaseSeconds: number): Promise<boolean> {
    return this.affectsRow(
      `UPDATE stage_jobs SET intent_step = $3, lease_until = clock_timestamp() + make_interval(secs => $4)
       WHERE id = $1 AND fence = $2 AND state = 'running' AND lease_until > clock_timestamp()`,
      [id, fence, step, leaseSeconds],
    );
  }

  /** Ends attempts and their leases; returns the ids of the jobs that were still held with these fences. */
  async endMany(ends: readonly AttemptEnd[]): Promise<Set<string>> {
    return new Set(await this.column<string>(END, [JSON.stringify(ends.map(endingRow))]));
  }

  /** Makes due waiting and retrying jobs requested, with the next request number. Skips rows that another scheduler has locked. */
  requestDue(limit: number): Promise<StageJob[]> {
    return this.rows(
      `UPDATE stage_jobs SET state = 'requested', turn = turn + 1, due_at = NULL, wait_reason = NULL, wait_code = NULL, wait_side = NULL, requested_at = now(), swept = 0
       WHERE id IN (SELECT id FROM stage_jobs WHERE state IN ('waiting','retrying') AND due_at <= now() ORDER BY due_at LIMIT $1 FOR UPDATE SKIP LOCKED)
       RETURNING *`,
      [limit],
    );
  }

  /** Makes the waiting job of a subject due now. */
  async makeDue(stage: Stage, subjectId: string): Promise<void> {
    await this.run(`UPDATE stage_jobs SET due_at = now() WHERE stage = $1 AND subject_id = $2 AND state = 'waiting'`, [stage, subjectId]);
  }

  /** Makes jobs of a stage due now that wait because of a failure on this side. */
  async resumeWaiting(stage: Stage, side: Side): Promise<number> {
    const { count } = await this.run(
      `UPDATE stage_jobs SET due_at = now() WHERE stage = $1 AND state = 'waiting' AND wait_side = $2 AND due_at > now()`,
      [stage, side],
    );
    return count;
  }

  /**
   * Requested jobs that no worker claimed for `seconds` although the outbox holds no message for them: the message may be lost. Checks the first
   * `limit` unclaimed jobs of each stage. The time doubles with each sweep, up to an hour, so that a long queue does not fill the bus with
   * repeated messages; it starts anew for jobs whose message is still unsent. The time of the next sweep is in `due_at`: the time of the request
   * is the job's place in the queue.
   */
  sweepRequested(seconds: number, limit: number): Promise<StageJob[]> {
    return this.rows(SWEEP, [seconds, limit, STAGES]);
  }

  /** Requests a dead job again with all its attempts and its journal except `without`. Returns `null` if it is not dead or another job is open. */
  async replay(id: string, without: readonly string[] = []): Promise<StageJob | null> {
    return this.row(
      `UPDATE stage_jobs j SET state = 'requested', turn = turn + 1, attempts = 0, failure = NULL, started_at = NULL, finished_at = NULL, due_at = NULL, requested_at = now(),
         swept = 0, journal = journal - $2::text[]
       WHERE id = $1 AND state = 'dead' AND NOT EXISTS (
         SELECT 1 FROM stage_jobs o WHERE o.stage = j.stage AND o.subject_id = j.subject_id AND o.state IN ('requested','running','waiting','retrying'))
       RETURNING *`,
      [id, without],
    );
  }

  /** Cancels the open jobs of a subject; a running attempt notices at its next lease renewal or at its end. */
  async cancelOpen(subjectId: string): Promise<number> {
    const { count } = await this.run(
      `UPDATE stage_jobs SET state = 'cancelled', finished_at = now(), lease_until = NULL, due_at = NULL, fence = fence + 1
       WHERE subject_id = $1 AND state IN ('requested','running','waiting','retrying')`,
      [subjectId],
    );
    return count;
  }

  /**
   * Cancels the waiting or retrying job of a stage. Returns `false` if there is none, or if a worker or the scheduler was faster: then it
   * counts as running.
   */
  async cancelIdle(stage: Stage, subjectId: string): Promise<boolean> {
    return this.affectsRow(
      `UPDATE stage_jobs SET state = 'cancelled', finished_at = now(), due_at = NULL, fence = fence + 1
       WHERE stage = $1 AND subject_id = $2 AND state IN ('waiting','retrying')`,
      [stage, subjectId],
    );
  }
}

function endingRow({ id, fence, end, step, forget }: AttemptEnd) {
  const failure = 'failure' in end ? end.failure : null;
  const ending: Omit<JobEnding, 'at' | 'attempt'> | null =
    end.state === 'retrying' || end.state === 'dead'
      ? { outcome: end.state, step, failure: { kind: end.failure.kind, message: end.failure.message } }
      : end.state === 'released' && step !== null
        ? { outcome: 'released', step, failure: null }
        : null;
  return {
    id,
    fence,
    state: (end.state === 'released' ? 'requested' : end.state) satisfies JobState,
    seconds: end.state === 'released' ? MESSAGE_LOST_AFTER_SECONDS : 'inSeconds' in end ? end.inSeconds : null,
    reason: 'reason' in end ? cutText(end.reason, 300) : null,
    cause: 'cause' in end ? end.cause : null,
    failure,
    uncounted: end.state === 'released' || end.state === 'waiting' || (end.state === 'retrying' && end.counts === false) ? 1 : 0,
    forget: forget.length === 0 ? null : forget,
    ending,
    unbegun: end.state === 'released' && step === null,
  };
}

const CLAIMED = `
  UPDATE stage_jobs SET state = 'running', attempts = attempts + 1, fence = fence + 1, lease_owner = $1,
    lease_until = clock_timestamp() + make_interval(secs => $2), started_at = coalesce(started_at, now()), wait_reason = NULL`;

const LAPSED = `state = 'running' AND lease_until < clock_timestamp()`;
/** The expression of the index `stage_jobs_in_turn`. */
export const TURN = `((requested_at - timestamptz '2000-01-01 00:00:00+00') + burst_place * interval '${BURST_SPACING_SECONDS} seconds')`;
const ACCOUNT_IS_FREE = `
  NOT (stage IN ${STAGE_SQL.oneJobPerKey} AND EXISTS (
    SELECT 1 FROM stage_jobs o WHERE o.message_key = j.message_key AND o.stage IN ${STAGE_SQL.oneJobPerKey} AND o.state = 'running' AND o.id <> j.id))`;

/** `for_person >=`: a range of the index, so that a claim for people reads none of the jobs that wait behind them. */
const CANDIDATES = `
  SELECT id FROM stage_jobs j WHERE j.stage = w.stage AND for_person >= w."peopleOnly" AND id <> ALL(w."except") AND ${ACCOUNT_IS_FREE}`;

/** Each part locks its rows, so that it is read once and never exceeds the limit. */
const CLAIM_NEXT = `
  WITH wanted AS (SELECT * FROM json_to_recordset($3::json) AS w (stage text, "limit" int, "peopleOnly" boolean, "except" uuid[])),
  lapsed AS MATERIALIZED (
    SELECT w.stage, c.id FROM wanted w CROSS JOIN LATERAL (
      ${CANDIDATES} AND ${LAPSED} ORDER BY lease_until LIMIT w."limit" FOR UPDATE SKIP LOCKED) c
  ), fresh AS MATERIALIZED (
    SELECT c.id FROM wanted w CROSS JOIN LATERAL (
      ${CANDIDATES} AND state = 'requested' ORDER BY for_person DESC, ${TURN}, id
      LIMIT w."limit" - (SELECT count(*) FROM lapsed l WHERE l.stage = w.stage) FOR UPDATE SKIP LOCKED) c
  )
  ${CLAIMED} WHERE id IN (SELECT id FROM lapsed UNION ALL SELECT id FROM fresh)
  RETURNING *, id IN (SELECT id FROM lapsed) AS had_lapsed`;

/** Lists of ids and the message as a value, because PostgreSQL would join conditions with whole tables. The order is that of `stage_jobs_unclaimed`. */
const SWEEP = `
  WITH unclaimed AS MATERIALIZED (
    SELECT j.id, (SELECT o.id FROM outbox o WHERE o.sent_at IS NULL AND o.envelope->>'type' = 'stage.requested'
                    AND o.envelope->'payload'->>'jobId' = j.id::text LIMIT 1) IS NULL AS is_lost
    FROM unnest($3::text[]) AS s (stage) CROSS JOIN LATERAL (
      SELECT id FROM stage_jobs WHERE stage = s.stage AND state = 'requested' AND coalesce(due_at, requested_at) < now()
        AND (due_at IS NOT NULL OR requested_at < now() - make_interval(secs => $1))
      ORDER BY coalesce(due_at, requested_at) LIMIT $2 FOR UPDATE SKIP LOCKED) j
  ), postponed AS (
    UPDATE stage_jobs SET due_at = now() + make_interval(secs => $1) WHERE id = ANY(ARRAY(SELECT id FROM unclaimed WHERE NOT is_lost))
  )
  UPDATE stage_jobs SET due_at = now() + make_interval(secs => least($1::float8 * 2 ^ (swept + 1), 3600)), swept = swept + 1
  WHERE id = ANY(ARRAY(SELECT id FROM unclaimed WHERE is_lost))
  RETURNING *`;

const JOURNAL = `
  UPDATE stage_jobs j SET journal = journal || $3::jsonb, intent_step = NULL
  FROM unnest($1::uuid[], $2::bigint[]) AS held (id, fence)
  WHERE j.id = held.id AND j.fence = held.fence AND j.state = 'running'
  RETURNING j.id`;

/** A job that was only claimed looks as before: it can be cancelled with its run, and its time to wait has not begun. */
const END = `
  UPDATE stage_jobs j SET state = e.state,
    started_at = CASE WHEN e.unbegun AND j.attempts = 1 AND j.history = '[]' AND j.journal = '{}' THEN NULL ELSE j.started_at END,
    intent_step = NULL, lease_owner = NULL, lease_until = NULL,
    due_at = now() + make_interval(secs => e.seconds), wait_reason = e.reason, wait_code = e.cause ->> 'kind', wait_side = e.cause ->> 'side',
    failure = coalesce(e.failure, j.failure), attempts = j.attempts - e.uncounted,
    turn = j.turn + (e.state = 'requested')::int, swept = CASE WHEN e.state = 'requested' THEN 0 ELSE j.swept END,
    journal = CASE WHEN e.forget IS NULL THEN j.journal ELSE j.journal - e.forget END,
    finished_at = CASE WHEN e.state IN ('done','dead','cancelled') THEN now() END,
    history = CASE WHEN e.ending IS NULL THEN j.history ELSE
      (SELECT coalesce(jsonb_agg(entry ORDER BY place), '[]') FROM (
        SELECT entry, place FROM jsonb_array_elements(j.history || jsonb_build_array(e.ending || jsonb_build_object('at', now(), 'attempt', j.attempts)))
          WITH ORDINALITY AS list (entry, place) ORDER BY place DESC LIMIT 20) newest) END
  FROM json_to_recordset($1::json) AS e (
    id uuid, fence bigint, state text, seconds float8, reason text, cause jsonb, failure jsonb, uncounted int, forget text[], ending jsonb, unbegun boolean)
  WHERE j.id = e.id AND j.fence = e.fence AND j.state = 'running'
  RETURNING j.id`;
