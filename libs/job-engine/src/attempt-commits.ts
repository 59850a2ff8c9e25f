import { v7 as uuidv7 } from 'uuid';
import { type FactType, type SkipReason, type Stage, STAGE_FACTS, topics } from '@autoposter/contracts';
import { cutText, type Failure } from '@autoposter/domain';
import type { Database, JobEnd, StageJob, UnitOfWork } from '@autoposter/persistence';
import { eventOf, type AttemptSettings } from './claim';
import { decideFailure, givenUp } from './decide-failure';
import type { AnyStage } from './define-stage';
import { checkpointKey, type Skipped } from './define-step';
import { faultPoint } from './fault-point';
import { LostLease } from './lease';

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

export interface IntendedCall {
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
export async function commitEnd(settings: AttemptSettings, attempt: EndedAttempt, outcome: AttemptOutcome, end: JobEnd): Promise<void> {
  faultPoint('commit:before');
  await settings.database.unitOfWork(async (uow) => {
    if (outcome.kind === 'wait' && outcome.redo !== undefined) await forgetFrom(uow, attempt, outcome.redo);
    const step = 'step' in outcome ? outcome.step : null;
    // pipelined: the stage's statements follow without waiting for this one; if the fence does not match, all are rolled back
    const ended = uow.jobs.end(attempt.job, end, step).then((ours) => {
      if (!ours) throw new LostLease('the job was taken by another worker');
    });
    const type = eventTypeOf(attempt.stage.name, outcome, end);
    const reason =
      'failure' in outcome ? outcome.failure.message : 'reason' in end ? end.reason : outcome.kind === 'skip' ? outcome.details : null;
    const event = type === null ? null : uow.history.append({ ...eventOf(attempt.job, type as never), reason });
    const [, skipped] = await bothOf(ended, commitStage(uow, attempt, outcome, end));
    if (event !== null && skipped)
      Object.assign(event, { type: eventTypeOf(attempt.stage.name, skipped, end), reason: cutText(skipped.details, 300) });
    if (event !== null) event.state = await uow.subjectState(attempt.job);
    if (end.state === 'dead') await uow.outbox.add([deadLetter(attempt.job, end.failure, step)]);
  });
  faultPoint('commit:after');
}

/** Waits for both, so that no statement is in flight when the transaction ends. If both fail, the first error is the cause. */
async function bothOf<A, B>(first: Promise<A>, second: Promise<B>): Promise<[A, B]> {
  await Promise.allSettled([first, second]);
  return [await first, await second];
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

const deadLetter = (job: StageJob, failure: Failure, step: string | null) => ({
  topic: topics.dead[job.stage].name,
  key: job.subjectId,
  envelope: {
    id: uuidv7(),
    type: 'stage.dead',
    occurredAt: new Date().toISOString(),
    subjectId: job.subjectId,
    correlationId: job.correlationId,
    causationId: job.causationId,
    traceparent: job.traceparent,
    payload: { stage: job.stage, jobId: job.id, attempts: job.attempts, kind: failure.kind, step, message: cutText(failure.message, 500) },
  },
});
