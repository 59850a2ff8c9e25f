import type { StageFact } from '@autoposter/contracts';
import type { Logger, Metrics } from '@autoposter/observability';
import { AccountBusyError, type Database, type StageJob, type UnitOfWork } from '@autoposter/persistence';
import type { AnyStage } from './define-stage';
import { faultPoint } from './fault-point';
import { LostLease } from './lease';

export interface AttemptSettings {
  database: Database;
  /** Name of this process among the holders of leases. */
  owner: string;
  leaseSeconds: number;
  /** Before the first automatic retry. */
  retrySeconds: number;
  /** Folder in which each run gets one of its own. */
  workRoot: string;
  logger: Logger;
  metrics?: Metrics | undefined;
}

/** Journal entry that says that the stage's `started` was committed; no step can have this name. */
const STARTED = '$started';

export interface ClaimedJob {
  job: StageJob;
  /** What the job is about; `null` where it is gone, `undefined` where it was not read yet. */
  input: unknown;
}

export interface ClaimRequest {
  jobId: string;
  /** `null` takes whatever turn the job is at. */
  turn: number | null;
  owner: string;
  leaseSeconds: number;
}

/**
 * Takes a job and, the first time, commits that it started, in one transaction. Where the stage itself fails in that, the job is taken
 * all the same, so that the attempt counts: a row that always fails must use up its attempts.
 */
export async function claimJob(database: Database, stage: AnyStage, ask: ClaimRequest): Promise<ClaimedJob | null> {
  faultPoint('claim:before');
  const claim = (uow: UnitOfWork, note: string | null): Promise<StageJob | null> =>
    uow.jobs.claim(ask.jobId, ask.turn, ask.owner, ask.leaseSeconds, note);
  let begun: ClaimedJob | null;
  try {
    begun = await unlessTaken(
      database.unitOfWork(async (uow) => {
        const job = await claim(uow, STARTED);
        if (job === null) return null;
        return { job, input: job.fence === 1 ? await started(uow, stage, job) : undefined };
      }),
    );
  } catch (error) {
    if (database.isOutage(error)) throw error;
    const job = await unlessTaken(database.unitOfWork((uow) => claim(uow, null)));
    begun = job === null ? null : { job, input: undefined };
  }
  faultPoint('claim:after');
  return begun;
}

const unlessTaken = <T>(claimed: Promise<T | null>): Promise<T | null> =>
  claimed.catch((error: unknown) => {
    if (error instanceof AccountBusyError) return null;
    throw error;
  });

/**
 * Takes several jobs, each with its own start, in one transaction. Rejects where anything fails in that, and then none is taken: who asks
 * takes them one by one.
 */
export async function claimBatch(database: Database, stage: AnyStage, asks: readonly ClaimRequest[]): Promise<(ClaimedJob | null)[]> {
  for (const _ask of asks) faultPoint('claim:before');
  const begun = await database.unitOfWork(async (uow) => {
    const jobs = await uow.jobs.claimMany(asks, STARTED);
    // all are waited for: none may still be asking when the transaction ends
    const inputs = await Promise.allSettled(jobs.map(async (job) => (job.fence === 1 ? started(uow, stage, job) : undefined)));
    return jobs.map((job, index) => {
      const input = inputs[index];
      if (input?.status === 'rejected') throw input.reason;
      return { job, input: input?.value };
    });
  });
  for (const _job of begun) faultPoint('claim:after');
  return asks.map(({ jobId }) => begun.find(({ job }) => job.id === jobId) ?? null);
}

/** The input of a claimed job; commits that it started where that has not happened yet. */
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
  return tell(uow, stage, job, input);
}

/** As `start`, where the claim has noted the start in the journal. */
async function started(uow: UnitOfWork, stage: AnyStage, job: StageJob): Promise<unknown> {
  const input: unknown = await stage.load(uow, job);
  return input === null ? null : tell(uow, stage, job, input);
}

async function tell(uow: UnitOfWork, stage: AnyStage, job: StageJob, input: unknown): Promise<unknown> {
  await stage.commit.started?.(uow, input, job);
  uow.history.append(eventOf(job, `${stage.name}.started`));
  return input;
}

export const eventOf = <Type extends StageFact | 'stage.waiting' | 'stage.retrying'>(job: StageJob, type: Type) => ({
  type,
  subjectId: job.subjectId,
  itemId: job.itemId,
  stage: job.stage,
  correlationId: job.correlationId,
  causationId: job.causationId,
  traceparent: job.traceparent,
});

interface Waiting {
  ask: ClaimRequest;
  resolve(begun: ClaimedJob | null): void;
  reject(error: unknown): void;
}

/**
 * Claims that are asked for in the same turn of the event loop are made in one transaction: messages come in batches, and each commit is a
 * write to the disk. Where one of them fails, each is made for itself, so that no job suffers for another.
 */
export class ClaimBatcher {
  private waiting: Waiting[] = [];

  constructor(
    private readonly settings: Pick<AttemptSettings, 'database' | 'owner' | 'leaseSeconds'>,
    private readonly stage: AnyStage,
  ) {}

  /** `null` where the job cannot be had now. */
  claim(jobId: string, turn: number | null): Promise<ClaimedJob | null> {
    const { owner, leaseSeconds } = this.settings;
    return new Promise((resolve, reject) => {
      if (this.waiting.length === 0) setImmediate(() => void this.make());
      this.waiting.push({ ask: { jobId, turn, owner, leaseSeconds }, resolve, reject });
    });
  }

  private async make(): Promise<void> {
    const waiting = this.waiting;
    this.waiting = [];
    const { database } = this.settings;
    if (waiting.length > 1) {
      try {
        const begun = await claimBatch(
          database,
          this.stage,
          waiting.map(({ ask }) => ask),
        );
        for (const [index, { resolve }] of waiting.entries()) resolve(begun[index] ?? null);
        return;
      } catch (error) {
        if (database.isOutage(error)) {
          for (const { reject } of waiting) reject(error);
          return;
        }
      }
    }
    for (const { ask, resolve, reject } of waiting) claimJob(database, this.stage, ask).then(resolve, reject);
  }
}
