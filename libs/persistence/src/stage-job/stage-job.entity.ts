import type { JobState, Stage } from '@autoposter/contracts';
import type { Failure, TransitionTable } from '@autoposter/domain';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import {
  BIGINT,
  BOOLEAN,
  ID,
  ID_OR_NULL,
  INTEGER,
  JSON_OR_NULL,
  JSON_VALUE,
  TEXT,
  TEXT_OR_NULL,
  TIME,
  TIME_OR_NULL,
} from '../database/columns';

/** `dead` to `requested` is a replay. */
export const JOB_TRANSITIONS: TransitionTable<JobState> = {
  requested: ['running', 'cancelled', 'dead'],
  // `requested`: released
  running: ['running', 'requested', 'waiting', 'retrying', 'done', 'dead', 'cancelled'],
  waiting: ['requested', 'cancelled'],
  retrying: ['requested', 'cancelled'],
  done: [],
  dead: ['requested'],
  cancelled: [],
};

/** The end of one attempt; `StageJob.history` keeps the newest twenty, newest last. */
export interface JobEnding {
  at: string;
  attempt: number;
  outcome: 'retrying' | 'dead' | 'released' | 'unknown';
  step: string | null;
  failure: Pick<Failure, 'kind' | 'message'> | null;
}

/**
 * A request waits as if it had been made this much later per place in its burst: the 100 posts that a run of a subreddit may bring are spread
 * over the shortest interval between two runs, and workers take posts of other subreddits in between.
 */
export const BURST_SPACING_SECONDS = 3;

/** A requested job that no worker claims for this long after its message was sent: the message counts as lost. */
export const MESSAGE_LOST_AFTER_SECONDS = 60;

/** One unit of work of a stage. Only the database clock judges the lease. */
@Entity('stage_jobs')
export class StageJob {
  @PrimaryColumn(ID) id!: string;
  @Column(TEXT) stage!: Stage;
  /** Id of the item, collect run or publish attempt, depending on the stage. */
  @Column(ID) subjectId!: string;
  @Column(ID_OR_NULL) itemId!: string | null;
  @Column(TEXT) messageKey!: string;
  @Column(TEXT) state!: JobState;
  /** A person waits for the result: claimed before automatic work. */
  @Column(BOOLEAN) forPerson!: boolean;
  /** Place among the requests that one source made together, from 0; see `BURST_SPACING_SECONDS`. */
  @Column(INTEGER) burstPlace!: number;
  /** Counts the requests of this job: the first, and one per wait, retry or replay that came due, and per release. */
  @Column({ ...INTEGER, name: 'turn' }) requestNumber!: number;
  @Column(INTEGER) attempts!: number;
  @Column(INTEGER) maxAttempts!: number;
  /** Decisions that the job needs and no other row stores. */
  @Column(JSON_VALUE) options!: Record<string, unknown>;
  @Column(JSON_VALUE) journal!: Record<string, unknown>;
  @Column(TEXT_OR_NULL) intentStep!: string | null;
  @Column(TEXT_OR_NULL) leaseOwner!: string | null;
  @Column(TIME_OR_NULL) leaseUntil!: Date | null;
  @Column(BIGINT) fence!: number;
  /** When a waiting or retrying job is requested again; of a requested one, when its message counts as lost, if that was put off. */
  @Column(TIME_OR_NULL) dueAt!: Date | null;
  @Column(TEXT_OR_NULL) waitReason!: string | null;
  /** Kind of the failure that the job waits for; `null` if it waits for something else. */
  @Column(TEXT_OR_NULL) waitCode!: string | null;
  /** Side of that failure. */
  @Column(TEXT_OR_NULL) waitSide!: string | null;
  @Column(JSON_OR_NULL) failure!: Failure | null;
  @Column(JSON_VALUE) history!: JobEnding[];
  @Column(ID) correlationId!: string;
  @Column(ID_OR_NULL) causationId!: string | null;
  @Column(TEXT_OR_NULL) traceparent!: string | null;
  @Column(TIME) requestedAt!: Date;
  /** Number of times that its message was sent again because no worker claimed the job. */
  @Column(INTEGER) swept!: number;
  @Column(TIME_OR_NULL) startedAt!: Date | null;
  @Column(TIME_OR_NULL) finishedAt!: Date | null;
}

/** A job as the table will hold it: missing values are the defaults of the columns. `requestedAt` is only close to that of the database. */
export const newStageJob = (
  job: Pick<StageJob, 'id' | 'stage' | 'subjectId' | 'itemId' | 'messageKey' | 'maxAttempts' | 'correlationId'> & Partial<StageJob>,
): StageJob => ({
  state: 'requested',
  forPerson: false,
  burstPlace: 0,
  requestNumber: 1,
  attempts: 0,
  options: {},
  journal: {},
  intentStep: null,
  leaseOwner: null,
  leaseUntil: null,
  fence: 0,
  dueAt: null,
  waitReason: null,
  waitCode: null,
  waitSide: null,
  failure: null,
  history: [],
  causationId: null,
  traceparent: null,
  requestedAt: new Date(),
  swept: 0,
  startedAt: null,
  finishedAt: null,
  ...job,
});
