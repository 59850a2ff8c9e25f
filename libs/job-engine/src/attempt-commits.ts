import { type FactType, type SkipReason, type Stage, STAGE_FACTS } from '@autoposter/contracts';
import { cutText, type Failure } from '@autoposter/domain';
import type { Database, JobEnd, StageJob, UnitOfWork } from '@autoposter/persistence';
import { eventOf } from './claim';
import { decideFailure, givenUp } from './decide-failure';
import type { AnyStage } from './define-stage';
import { checkpointKey, type Skipped } from './define-step';
import { faultPoint } from './fault-point';
import { LostLease } from './lease';

/** Most jobs of one transaction: it holds the locks of all of them. */
const LARGEST_GROUP = 50;

/** The outcome of one attempt. A `final` failure ends the job whatever its retry rule; `reached` is the last known output of the steps. */
export type AttemptOutcome =
  | { kind: 'done'; output: unknown }
  | { kind: 'skip'; reason: SkipReason; details: string; evidence?: unknown }
  | { kind: 'fail'; failure: Failure; step: string; final: boolean; reached?: unknown }
  | { kind: 'wait'; seconds: number; reason: string; redo?: string; evidence?: unknown }
  | { kind: 'unknown'; failure: Failure; step: string }
  /** The subject no longer exists or no longer needs this stage. */
  | { kind: 'cancelled' }
  /** The process drains. */
  | { kind: 'released'; step: string };

interface IntendedCall {
  step: string;
  /** Input of the job and of the step. */
  input: unknown;
  stepInput: unknown;
  /** The intent renews the lease, so that the call starts with a full one. */
  leaseSeconds: number;
}

/** Rolls back the transaction in which it is thrown. */
class RefusedCall extends Error {
  constructor(readonly skip: Skipped) {
    super(skip.details);
  }
}

/**
 * Commits the intent before an irreversible call. The same statement checks the fence, so that no other worker can make the call. Returns
 * the skip if the stage refuses the call; then the intent is rolled back.
 */
export async function commitIntent(
  database: Database,
  { commit }: AnyStage,
  job: StageJob,
  { step, input, stepInput, leaseSeconds }: IntendedCall,
): Promise<Skipped | null> {
  faultPoint('intent:before');
  try {
    await database.unitOfWork(async (uow) => {
      if (!(await uow.jobs.recordIntent(job, step, leaseSeconds))) throw new LostLease('the job was taken before the call');
      const refused = await commit.intended?.(uow, input, stepInput, job);
      if (refused) throw new RefusedCall(refused);
    });
  } catch (error) {
    if (error instanceof RefusedCall) return error.skip;
    throw error;
  }
  faultPoint('intent:after');
  return null;
}

export interface EndedAttempt {
  stage: AnyStage;
  job: StageJob;
  /** `undefined` if it could not be read. */
  input: unknown;
  /** The database clock. */
  now: Date;
}

/** Maps an outcome to the job's next state. */
export function endOf(outcome: AttemptOutcome, attempt: EndedAttempt, retrySeconds: number): JobEnd {
  switch (outcome.kind) {
    case 'done':
    case 'skip':
    case 'unknown':
      return { state: 'done' };
    case 'cancelled':
      return { state: 'cancelled' };
    case 'released':
      return { state: 'released' };
    case 'wait':
      return { state: 'waiting', inSeconds: outcome.seconds, reason: outcome.reason };
    case 'fail':
      return outcome.final
        ? { state: 'dead', failure: givenUp(outcome.failure, attempt.job.attempts) }
        : endOfFailure(outcome.failure, attempt, retrySeconds);
  }
}

function endOfFailure(failure: Failure, { stage, job, input, now }: EndedAttempt, retrySeconds: number): JobEnd {
  const rule = input === undefined || input === null ? undefined : stage.retryRule?.(failure, input);
  return decideFailure(failure, job, now, retrySeconds, rule);
}

/** The one transaction that ends an attempt: the job's row under its fence, the stage's own writes, event history and outbox. */
export async function commitEnd(database: Database, attempt: EndedAttempt, outcome: AttemptOutcome, end: JobEnd): Promise<void> {
  faultPoint('commit:before');
  await database.unitOfWork(async (uow) => {
    if (outcome.kind === 'wait' && outcome.redo !== undefined) await forgetFrom(uow, attempt, outcome.redo);
    if (!(await uow.jobs.end(attempt.job, end, stepOf(outcome)))) throw new LostLease('the job was taken by another worker');
    await writeEnd(uow, attempt, outcome, end);
  });
  faultPoint('commit:after');
}

const stepOf = (outcome: AttemptOutcome): string | null => ('step' in outcome ? outcome.step : null);

/** What an end writes beside the job's row, which the transaction holds. */
async function writeEnd(uow: UnitOfWork, ended: EndedAttempt, outcome: AttemptOutcome, end: JobEnd): Promise<void> {
  // a stage's commit updates its input in place, and a repeated transaction must start from the same
  const attempt = { ...ended, input: structuredClone(ended.input) };
  const type = eventTypeOf(attempt.stage.name, outcome, end);
  const reason =
    'failure' in outcome ? outcome.failure.message : 'reason' in end ? end.reason : outcome.kind === 'skip' ? outcome.details : null;
  const event = type === null ? null : uow.history.append({ ...eventOf(attempt.job, type as never), reason });
  const skipped = await commitStage(uow, attempt, outcome, end);
  if (event !== null && skipped)
    Object.assign(event, { type: eventTypeOf(attempt.stage.name, skipped, end), reason: cutText(skipped.details, 300) });
  if (event !== null) event.state = await uow.subjectState(attempt.job);
  if (end.state === 'dead') uow.outbox.bury(attempt.job, end.failure, stepOf(outcome));
}

interface FinishedAttempt {
  attempt: EndedAttempt;
  outcome: Extract<AttemptOutcome, { kind: 'done' }>;
  resolve(): void;
  reject(error: unknown): void;
}

/**
 * Commits the jobs of a stage that finish at about the same time in one transaction: those that finish while a commit runs share the next one.
 * If any part fails, nothing of it is written, and each job is committed on its own, so that one failing commit concerns no other job.
 */
export class GroupCommit {
  private waiting: FinishedAttempt[] = [];
  private busy = false;

  constructor(private readonly database: Database) {}

  commit(attempt: EndedAttempt, outcome: FinishedAttempt['outcome']): Promise<void> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ attempt, outcome, resolve, reject });
      if (!this.busy) setImmediate(() => void this.flush());
      this.busy = true;
    });
  }

  private async flush(): Promise<void> {
    while (this.waiting.length > 0) {
      const group = this.waiting.splice(0, LARGEST_GROUP);
      const [only] = group;
      if (group.length === 1 && only !== undefined) await this.commitAlone(only);
      else await this.commitTogether(group);
    }
    this.busy = false;
  }

  private commitAlone({ attempt, outcome, resolve, reject }: FinishedAttempt): Promise<void> {
    return commitEnd(this.database, attempt, outcome, { state: 'done' }).then(resolve, reject);
  }

  private async commitTogether(group: readonly FinishedAttempt[]): Promise<void> {
    for (const _one of group) faultPoint('commit:before');
    let held: ReadonlySet<string>;
    try {
      held = await this.database.unitOfWork(async (uow) => {
        const ours = await uow.jobs.endMany(group.map(({ attempt }) => attempt.job));
        // one after the other: a lock of the transaction does not separate its own parts, so each must see what the ones before it wrote
        for (const { attempt, outcome } of group) if (ours.has(attempt.job.id)) await writeEnd(uow, attempt, outcome, { state: 'done' });
        return ours;
      });
    } catch (error) {
      if (this.database.isOutage(error)) for (const { reject } of group) reject(error);
      else await Promise.all(group.map((one) => this.commitAlone(one)));
      return;
    }
    for (const _one of group) faultPoint('commit:after');
    for (const { attempt, resolve, reject } of group) {
      if (held.has(attempt.job.id)) resolve();
      else reject(new LostLease('the job was taken by another worker'));
    }
  }
}

/** Runs before the job's end is written, because the fence is released there. */
async function forgetFrom(uow: UnitOfWork, { stage, job }: EndedAttempt, redo: string): Promise<void> {
  const first = stage.steps.findIndex((step) => step.name === redo);
  if (first < 0) throw new Error(`${stage.name} has no step ${redo} to redo`);
  const names = stage.steps.slice(first).flatMap((step) => [step.name, checkpointKey(step.name)]);
  if (!(await uow.jobs.removeFromJournal(job, names))) throw new LostLease('the job was taken by another worker');
  for (const name of names.filter((one) => one in job.journal)) job.journal[name] = null;
}

/** Returns a skip if the stage's `done` decided to skip after all. */
async function commitStage(
  uow: UnitOfWork,
  { stage: { commit }, job, input, now }: EndedAttempt,
  outcome: AttemptOutcome,
  end: JobEnd,
): Promise<Skipped | void> {
  // the stage's commit functions need the input
  if (input === undefined || input === null) return;
  if (end.state === 'waiting') {
    const evidence = outcome.kind === 'wait' ? outcome.evidence : undefined;
    await commit.waiting?.(uow, input, new Date(now.getTime() + end.inSeconds * 1000), end.reason, job, evidence);
  } else if (end.state === 'dead') {
    const { step = '', reached = undefined } = outcome.kind === 'fail' ? outcome : {};
    await commit.failed(uow, input, end.failure, step, job, reached);
  } else if (outcome.kind === 'done') {
    const skipped = await commit.done(uow, input, outcome.output, job);
    if (skipped) await commit.skipped(uow, input, skipped.reason, skipped.details, job, skipped.evidence);
    return skipped;
  } else if (outcome.kind === 'skip') {
    await commit.skipped(uow, input, outcome.reason, outcome.details, job, outcome.evidence);
  } else if (outcome.kind === 'unknown') {
    await commit.unknown?.(uow, input, outcome.failure, job);
  }
}

function eventTypeOf(stage: Stage, outcome: AttemptOutcome, end: JobEnd): FactType | null {
  if (end.state === 'waiting') return 'stage.waiting';
  if (end.state === 'retrying') return 'stage.retrying';
  if (end.state === 'dead') return `${stage}.failed`;
  if (outcome.kind === 'done') return `${stage}.completed`;
  if (outcome.kind === 'skip') return STAGE_FACTS.factOnSkip[stage];
  if (outcome.kind === 'unknown') return STAGE_FACTS.factOnUnknown[stage];
  return null;
}
