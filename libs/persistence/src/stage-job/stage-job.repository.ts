import type { JobState, Stage } from '@autoposter/contracts';
import { cutText, type Failure, type Side } from '@autoposter/domain';
import { v7 as uuidv7 } from 'uuid';
import { SqlRepository } from '../database/sql-repository';
import { STAGE_SQL } from '../database/stage-sql';
import type { Statement } from '../database/transaction';
import { type JobEnding, StageJob } from './stage-job.entity';

const UNIQUE_VIOLATION = '23505';

/** Another job of the same publishing account was taken at the same moment: the transaction in which this was asked for is lost. */
export class AccountBusyError extends Error {
  override readonly name = 'AccountBusyError';

  constructor() {
    super('another job works for this account');
  }

  /** Whether a claim failed of this: there is no other unique index that it can run into. */
  static saysSo(error: unknown): boolean {
    return (error as { code?: string }).code === UNIQUE_VIOLATION;
  }
}

export type NewJob = Pick<StageJob, 'stage' | 'subjectId' | 'itemId' | 'messageKey' | 'maxAttempts' | 'correlationId'> & Partial<StageJob>;

/** Who holds a job: writes of an older fence are refused. */
export interface Held {
  id: string;
  fence: number;
}

/** How a run ends. Times are seconds from now by the database clock. */
export type JobEnd =
  | { state: 'done' | 'cancelled' }
  | { state: 'dead'; failure: Failure }
  | { state: 'retrying'; inSeconds: number; failure: Failure }
  /** The run gives its place back without having failed: the attempt is not counted. */
  | { state: 'released' }
  | { state: 'waiting'; inSeconds: number; reason: string; cause?: Pick<Failure, 'kind' | 'side'> };

/** Jobs of a stage by what they wait for; `oldestWaitingSeconds` is null where none waits to be taken. */
export interface StagePressure {
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

export class JobRepository extends SqlRepository<StageJob> {
  protected readonly entity = StageJob;

  /** `null` where a job of this stage and subject is open. */
  create(job: NewJob): Promise<StageJob | null> {
    return this.insert(
      { id: uuidv7(), state: 'requested', ...job },
      `ON CONFLICT (stage, subject_id) WHERE state IN ('requested','running','waiting','retrying') DO NOTHING`,
    );
  }

  /** As `create`, together with a write on which it depends: `null` where that write found no row, and then neither is made. */
  createWith(move: Statement, job: NewJob): Promise<StageJob | null> {
    return this.insertAfter(move, { id: uuidv7(), state: 'requested', ...job });
  }

  find(id: string): Promise<StageJob | null> {
    return this.row('SELECT * FROM stage_jobs WHERE id = $1', [id]);
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
   * Takes a requested job, or a running one whose lease is over: attempt and fence grow, the lease runs `leaseSeconds` from now by the
   * database clock. `null` where it cannot be had now: gone, held, of another turn, or another job works for the same account; rejects as
   * `AccountBusyError` where that one was taken at the same moment. The very first claim leaves `note` in the journal.
   */
  async claim(id: string, turn: number | null, owner: string, leaseSeconds: number, note: string | null = null): Promise<StageJob | null> {
    try {
      return await this.row(CLAIM, [id, turn, owner, leaseSeconds, note]);
    } catch (error) {
      if (AccountBusyError.saysSo(error)) throw new AccountBusyError();
      throw error;
    }
  }

  /** As `claim`, for several jobs of one owner in one statement; answers those that could be had. Rejects where two of them exclude each other. */
  claimMany(
    asks: readonly { jobId: string; turn: number | null; owner: string; leaseSeconds: number }[],
    note: string | null,
  ): Promise<StageJob[]> {
    const [{ owner, leaseSeconds } = { owner: '', leaseSeconds: 0 }] = asks;
    return this.rows(CLAIM_MANY, [asks.map(({ jobId }) => jobId), asks.map(({ turn }) => turn), owner, leaseSeconds, note]);
  }

  /** Ids of running jobs of a stage whose lease is over, longest first. */
  async expired(stage: Stage, limit: number): Promise<string[]> {
    const { rows } = await this.run<{ id: string }>(
      `SELECT id FROM stage_jobs WHERE stage = $1 AND state = 'running' AND lease_until < clock_timestamp() ORDER BY lease_until LIMIT $2`,
      [stage, limit],
    );
    return rows.map((row) => row.id);
  }

  /** Ids of requested jobs of a stage that a person waits for, oldest first. */
  async requestedForPerson(stage: Stage, limit: number): Promise<string[]> {
    const { rows } = await this.run<{ id: string }>(
      `SELECT id FROM stage_jobs WHERE stage = $1 AND state = 'requested' AND for_person ORDER BY requested_at LIMIT $2`,
      [stage, limit],
    );
    return rows.map((row) => row.id);
  }

  /** `false` where the job is no longer held under this fence. */
  async renew({ id, fence }: Held, leaseSeconds: number): Promise<boolean> {
    const { count } = await this.run(
      `UPDATE stage_jobs SET lease_until = clock_timestamp() + make_interval(secs => $3) WHERE id = $1 AND fence = $2 AND state = 'running'`,
      [id, fence, leaseSeconds],
    );
    return count === 1;
  }

  /** Keeps a finished step's output, so that a resumed run does not repeat the step. Clears the intent. */
  async journal({ id, fence }: Held, step: string, output: unknown): Promise<boolean> {
    const { count } = await this.run(
      `UPDATE stage_jobs SET journal = journal || $3::jsonb, intent_step = NULL WHERE id = $1 AND fence = $2 AND state = 'running'`,
      [id, fence, JSON.stringify({ [step]: output ?? null })],
    );
    return count === 1;
  }

  /** Takes steps out of the journal, so that a later run does them again. */
  async removeFromJournal({ id, fence }: Held, steps: readonly string[]): Promise<boolean> {
    const { count } = await this.run(
      `UPDATE stage_jobs SET journal = journal - $3::text[] WHERE id = $1 AND fence = $2 AND state = 'running'`,
      [id, fence, steps],
    );
    return count === 1;
  }

  /**
   * Says that an irreversible step is about to run, and gives it a whole lease; its journal entry and the end of the run take it back.
   * `false` where the job is held under another fence, or the lease is over by the database clock: a process that was suspended may not
   * know, because the monotonic clock stops while a machine is suspended.
   */
  async recordIntent({ id, fence }: Held, step: string, leaseSeconds: number): Promise<boolean> {
    const { count } = await this.run(
      `UPDATE stage_jobs SET intent_step = $3, lease_until = clock_timestamp() + make_interval(secs => $4)
       WHERE id = $1 AND fence = $2 AND state = 'running' AND lease_until > clock_timestamp()`,
      [id, fence, step, leaseSeconds],
    );
    return count === 1;
  }

  /** Ends a run under its fence; `false` where somebody else holds the job by now. The lease ends with it. */
  async end({ id, fence }: Held, end: JobEnd, step: string | null = null): Promise<boolean> {
    const state: JobState = end.state === 'released' ? 'retrying' : end.state;
    const failure = 'failure' in end ? end.failure : null;
    const inSeconds = end.state === 'released' ? 0 : 'inSeconds' in end ? end.inSeconds : null;
    const givesBack = end.state === 'released' || end.state === 'waiting';
    const ending = endingOf(end, step);
    const { count } = await this.run(END, [
      id,
      fence,
      state,
      inSeconds,
      'reason' in end ? cutText(end.reason, 300) : null,
      failure === null ? null : JSON.stringify(failure),
      givesBack ? 1 : 0,
      ending === null ? null : JSON.stringify(ending),
      'cause' in end ? (end.cause?.kind ?? null) : null,
      'cause' in end ? (end.cause?.side ?? null) : null,
    ]);
    return count === 1;
  }

  /** Waiting and retrying jobs that came due become requested with a new turn. Locked against other clocks by row. */
  requestDue(limit: number): Promise<StageJob[]> {
    return this.rows(
      `UPDATE stage_jobs SET state = 'requested', turn = turn + 1, due_at = NULL, wait_reason = NULL, wait_code = NULL, wait_side = NULL, requested_at = now(), swept = 0
       WHERE id IN (SELECT id FROM stage_jobs WHERE state IN ('waiting','retrying') AND due_at <= now() ORDER BY due_at LIMIT $1 FOR UPDATE SKIP LOCKED)
       RETURNING *`,
      [limit],
    );
  }

  /** Jobs of a stage that wait because of a failure of that side need not wait any longer. */
  async resumeWaiting(stage: Stage, side: Side): Promise<number> {
    const { count } = await this.run(
      `UPDATE stage_jobs SET due_at = now() WHERE stage = $1 AND state = 'waiting' AND wait_side = $2 AND due_at > now()`,
      [stage, side],
    );
    return count;
  }

  /**
   * Requested jobs that nobody took for `seconds` although no message of theirs waits in the outbox: their message may be lost.
   * The time doubles with each sweep, up to an hour: a long queue is no loss, and must not fill the bus with repetitions.
   */
  sweepRequested(seconds: number, limit: number): Promise<StageJob[]> {
    return this.rows(
      `UPDATE stage_jobs SET requested_at = now(), swept = swept + 1 WHERE id IN (
         SELECT id FROM stage_jobs j WHERE state = 'requested' AND requested_at < now() - make_interval(secs => least($1::float8 * 2 ^ swept, 3600))
           AND NOT EXISTS (SELECT 1 FROM outbox o WHERE o.sent_at IS NULL AND o.envelope->'payload'->>'jobId' = j.id::text)
         ORDER BY requested_at LIMIT $2 FOR UPDATE SKIP LOCKED)
       RETURNING *`,
      [seconds, limit],
    );
  }

  /** A dead job is asked for again with all its attempts; its journal stays but for `without`. `null` where it is not dead, or another one is open. */
  async replay(id: string, without: readonly string[] = []): Promise<StageJob | null> {
    return this.row(
      `UPDATE stage_jobs j SET state = 'requested', turn = turn + 1, attempts = 0, failure = NULL, finished_at = NULL, due_at = NULL, requested_at = now(), swept = 0,
         journal = journal - $2::text[]
       WHERE id = $1 AND state = 'dead' AND NOT EXISTS (
         SELECT 1 FROM stage_jobs o WHERE o.stage = j.stage AND o.subject_id = j.subject_id AND o.state IN ('requested','running','waiting','retrying'))
       RETURNING *`,
      [id, without],
    );
  }

  /** Open jobs of a subject are not wanted any more; a running one notices at its next renewal or at its end. */
  async cancelOpen(subjectId: string): Promise<number> {
    const { count } = await this.run(
      `UPDATE stage_jobs SET state = 'cancelled', finished_at = now(), lease_until = NULL, due_at = NULL, fence = fence + 1
       WHERE subject_id = $1 AND state IN ('requested','running','waiting','retrying')`,
      [subjectId],
    );
    return count;
  }

  /**
   * Cancels the job of a stage while it waits for a date or for another try. `false` where there is none, or a worker or the clock was
   * first: then it is as good as running.
   */
  async cancelIdle(stage: Stage, subjectId: string): Promise<boolean> {
    const { count } = await this.run(
      `UPDATE stage_jobs SET state = 'cancelled', finished_at = now(), due_at = NULL, fence = fence + 1
       WHERE stage = $1 AND subject_id = $2 AND state IN ('waiting','retrying')`,
      [stage, subjectId],
    );
    return count === 1;
  }

  /** What presses on each stage that has open jobs; seconds by the database clock. */
  async pressure(): Promise<StagePressure[]> {
    const { rows } = await this.run<StagePressure>(
      `SELECT stage, count(*) FILTER (WHERE state = 'requested')::int AS waiting, count(*) FILTER (WHERE state = 'running')::int AS running,
              count(*) FILTER (WHERE state = 'waiting')::int AS postponed, count(*) FILTER (WHERE state = 'retrying')::int AS retrying,
              floor(extract(epoch FROM now() - min(requested_at) FILTER (WHERE state = 'requested')))::int AS "oldestWaitingSeconds"
       FROM stage_jobs WHERE state IN ('requested','running','waiting','retrying') GROUP BY stage`,
    );
    return rows;
  }

  /** The runs that workers hold, with what they are about, longest first. */
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

  /** Open and dead jobs per stage and state. */
  async counts(): Promise<{ stage: Stage; state: JobState; count: number }[]> {
    const { rows } = await this.run<{ stage: Stage; state: JobState; count: number }>(
      `SELECT stage, state, count(*)::int AS count FROM stage_jobs WHERE state NOT IN ('done','cancelled') GROUP BY stage, state`,
    );
    return rows;
  }
}

function endingOf(end: JobEnd, step: string | null): Omit<JobEnding, 'at' | 'attempt'> | null {
  if (end.state === 'retrying' || end.state === 'dead') {
    const { kind, message } = end.failure;
    return { outcome: end.state, step, failure: { kind, message } };
  }
  return end.state === 'released' ? { outcome: 'released', step, failure: null } : null;
}

const CLAIMED = `
  UPDATE stage_jobs SET state = 'running', attempts = attempts + 1, fence = fence + 1, lease_owner = $3,
    lease_until = clock_timestamp() + make_interval(secs => $4), started_at = coalesce(started_at, now()), wait_reason = NULL,
    journal = CASE WHEN fence = 0 AND $5::text IS NOT NULL THEN journal || jsonb_build_object($5::text, true) ELSE journal END`;

const TO_BE_HAD = `
  (state = 'requested' OR (state = 'running' AND lease_until < clock_timestamp()))
    AND NOT (stage IN ${STAGE_SQL.oneJobPerKey} AND EXISTS (
      SELECT 1 FROM stage_jobs o WHERE o.message_key = j.message_key AND o.stage IN ${STAGE_SQL.oneJobPerKey} AND o.state = 'running' AND o.id <> j.id))`;

const CLAIM = `${CLAIMED}
  WHERE id = (SELECT id FROM stage_jobs j WHERE id = $1 AND ($2::int IS NULL OR turn = $2) AND ${TO_BE_HAD} FOR UPDATE SKIP LOCKED)
  RETURNING *`;

const CLAIM_MANY = `${CLAIMED}
  WHERE id IN (
    SELECT j.id FROM unnest($1::uuid[], $2::int[]) AS asked (id, turn) JOIN stage_jobs j USING (id)
    WHERE (asked.turn IS NULL OR j.turn = asked.turn) AND ${TO_BE_HAD} FOR UPDATE OF j SKIP LOCKED)
  RETURNING *`;

const END = `
  UPDATE stage_jobs SET state = $3::text, intent_step = NULL, lease_owner = NULL, lease_until = NULL,
    due_at = now() + make_interval(secs => $4::float8), wait_reason = $5::text, wait_code = $9::text, wait_side = $10::text, failure = coalesce($6::jsonb, failure),
    attempts = attempts - $7::int,
    finished_at = CASE WHEN $3::text IN ('done','dead','cancelled') THEN now() END,
    history = CASE WHEN $8::jsonb IS NULL THEN history ELSE
      (SELECT coalesce(jsonb_agg(entry ORDER BY place), '[]') FROM (
        SELECT entry, place FROM jsonb_array_elements(history || jsonb_build_array($8::jsonb || jsonb_build_object('at', now(), 'attempt', attempts)))
          WITH ORDINALITY AS list (entry, place) ORDER BY place DESC LIMIT 20) newest) END
  WHERE id = $1 AND fence = $2 AND state = 'running'`;
