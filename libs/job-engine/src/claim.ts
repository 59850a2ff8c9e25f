import type { StageFact } from '@autoposter/contracts';
import type { Logger, Metrics } from '@autoposter/observability';
import { AccountBusyError, type Database, type StageJob, type UnitOfWork } from '@autoposter/persistence';
import type { AnyStage } from './define-stage';
import { faultPoint } from './fault-point';
import { LostLease } from './lease';

export interface AttemptSettings {
  database: Database;
  /** The name under which this process holds leases. */
  owner: string;
  leaseSeconds: number;
  /** Delay before the first automatic retry. */
  retrySeconds: number;
  /** Parent folder of the attempts' work folders. */
  workRoot: string;
  logger: Logger;
  metrics?: Metrics | undefined;
}

/** Journal entry that marks the stage's `started` as committed. No step may have this name. */
const STARTED = '$started';

export interface ClaimedJob {
  job: StageJob;
  /** `null` if the subject no longer exists, `undefined` if it has not been read yet. */
  input: unknown;
}

export interface ClaimRequest {
  jobId: string;
  /** Only if the job is at this turn; `null` accepts any. */
  turn: number | null;
  owner: string;
  leaseSeconds: number;
}

/**
 * Claims a job and, on its first claim, commits that it started, in one transaction. If the stage's part fails, the job is claimed
 * without it, so that the attempt counts: a row that always fails must use up its attempts.
 */
export async function claimJob(database: Database, stage: AnyStage, request: ClaimRequest): Promise<ClaimedJob | null> {
  faultPoint('claim:before');
  const claim = (uow: UnitOfWork, note: string | null): Promise<StageJob | null> =>
    uow.jobs.claim(request.jobId, request.turn, request.owner, request.leaseSeconds, note);
  let claimed: ClaimedJob | null;
  try {
    claimed = await unlessBusy(
      database.unitOfWork(async (uow) => {
        const job = await claim(uow, STARTED);
        if (job === null) return null;
        return { job, input: job.fence === 1 ? await loadStarted(uow, stage, job) : undefined };
      }),
    );
  } catch (error) {
    if (database.isOutage(error)) throw error;
    const job = await unlessBusy(database.unitOfWork((uow) => claim(uow, null)));
    claimed = job === null ? null : { job, input: undefined };
  }
  faultPoint('claim:after');
  return claimed;
}

const unlessBusy = <T>(claim: Promise<T | null>): Promise<T | null> =>
  claim.catch((error: unknown) => {
    if (error instanceof AccountBusyError) return null;
    throw error;
  });

/** Claims several jobs in one transaction. If any part fails, it rejects and none is claimed; the caller then claims one by one. */
export async function claimBatch(database: Database, stage: AnyStage, requests: readonly ClaimRequest[]): Promise<(ClaimedJob | null)[]> {
  for (const _request of requests) faultPoint('claim:before');
  const claimed = await database.unitOfWork(async (uow) => {
    const jobs = await uow.jobs.claimMany(requests, STARTED);
    // `allSettled`: no statement may be in flight when the transaction ends
    const inputs = await Promise.allSettled(jobs.map(async (job) => (job.fence === 1 ? loadStarted(uow, stage, job) : undefined)));
    return jobs.map((job, index) => {
      const input = inputs[index];
      if (input?.status === 'rejected') throw input.reason;
      return { job, input: input?.value };
    });
  });
  for (const _job of claimed) faultPoint('claim:after');
  return requests.map(({ jobId }) => claimed.find(({ job }) => job.id === jobId) ?? null);
}

/** Returns the input of a claimed job; commits its start if the claim did not. */
export async function readInput(database: Database, stage: AnyStage, { job, input }: ClaimedJob): Promise<unknown> {
  if (input !== undefined) return input;
  if (STARTED in job.journal) return stage.load(database.read, job);
  return database.unitOfWork((uow) => start(uow, stage, job));
}

async function start(uow: UnitOfWork, stage: AnyStage, job: StageJob): Promise<unknown> {
  const input: unknown = await stage.load(uow, job);
  if (input === null) return null;
  if (!(await uow.jobs.journal(job, STARTED, true))) throw new LostLease('the job was taken before it started');
  job.journal[STARTED] = true;
  return recordStart(uow, stage, job, input);
}

/** As `start`, for a claim that already wrote the journal entry. */
async function loadStarted(uow: UnitOfWork, stage: AnyStage, job: StageJob): Promise<unknown> {
  const input: unknown = await stage.load(uow, job);
  return input === null ? null : recordStart(uow, stage, job, input);
}

async function recordStart(uow: UnitOfWork, stage: AnyStage, job: StageJob, input: unknown): Promise<unknown> {
  await stage.commit.started?.(uow, input, job);
  uow.history.append(eventOf(job, `${stage.name}.started`));
  return input;
}

export const eventOf = <Type extends StageFact | 'stage.pending' | 'stage.retrying'>(job: StageJob, type: Type) => ({
  type,
  subjectId: job.subjectId,
  itemId: job.itemId,
  stage: job.stage,
  correlationId: job.correlationId,
  causationId: job.causationId,
  traceparent: job.traceparent,
});

interface PendingClaim {
  request: ClaimRequest;
  resolve(claimed: ClaimedJob | null): void;
  reject(error: unknown): void;
}

/**
 * Batches the claims of one event-loop turn into one transaction: messages arrive in batches, and each commit is a disk write. If the
 * batch fails, each job is claimed on its own, so that one job cannot block the others.
 */
export class ClaimBatcher {
  private pending: PendingClaim[] = [];

  constructor(
    private readonly settings: Pick<AttemptSettings, 'database' | 'owner' | 'leaseSeconds'>,
    private readonly stage: AnyStage,
  ) {}

  /** `null` if the job cannot be claimed now. */
  claim(jobId: string, turn: number | null): Promise<ClaimedJob | null> {
    const { owner, leaseSeconds } = this.settings;
    return new Promise((resolve, reject) => {
      if (this.pending.length === 0) setImmediate(() => void this.flush());
      this.pending.push({ request: { jobId, turn, owner, leaseSeconds }, resolve, reject });
    });
  }

  private async flush(): Promise<void> {
    const pending = this.pending;
    this.pending = [];
    const { database } = this.settings;
    if (pending.length > 1) {
      try {
        const claimed = await claimBatch(
          database,
          this.stage,
          pending.map(({ request }) => request),
        );
        for (const [index, { resolve }] of pending.entries()) resolve(claimed[index] ?? null);
        return;
      } catch (error) {
        if (database.isOutage(error)) {
          for (const { reject } of pending) reject(error);
          return;
        }
      }
    }
    for (const { request, resolve, reject } of pending) claimJob(database, this.stage, request).then(resolve, reject);
  }
}
