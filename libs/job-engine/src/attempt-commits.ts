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

/** How the steps of one run came out. `final` failures are dead whatever their kind; `reached` is what the steps before had found out. */
export type AttemptOutcome =
  | { kind: 'done'; output: unknown }
  | { kind: 'skip'; reason: SkipReason; details: string; evidence?: unknown }
  | { kind: 'fail'; failure: Failure; step: string; final: boolean; reached?: unknown }
  | { kind: 'wait'; seconds: number; reason: string; redo?: string; evidence?: unknown }
  | { kind: 'unknown'; failure: Failure; step: string }
  /** Gone, or no longer wanted. */
  | { kind: 'cancelled' }
  /** The process drains. */
  | { kind: 'released'; step: string };

export interface IntendedCall {
  step: string;
  /** What the run is about, and what the step will get. */
  input: unknown;
  stepInput: unknown;
  /** The call begins with a whole lease. */
  leaseSeconds: number;
}

/** Takes the transaction back in which it is thrown. */
class LeftOut extends Error {
  constructor(readonly as: Skipped) {
    super(as.details);
  }
}

/**
 * Committed before a call that cannot be taken back; the fence is looked at in the same statement, so that nobody else can be at it.
 * Answers the skip with which the stage refuses the call: then no intent stands.
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
      if (refused) throw new LeftOut(refused);
    });
  } catch (error) {
    if (error instanceof LeftOut) return error.as;
    throw error;
  }
  faultPoint('intent:after');
  return null;
}

export interface EndedAttempt {
  stage: AnyStage;
  job: StageJob;
  /** `undefined` where it could not be read. */
  input: unknown;
  /** The database clock. */
  now: Date;
}

/** What the outcome means for the job, before anything is written. */
export function endOf(outcome: AttemptOutcome, run: EndedAttempt, retrySeconds: number): JobEnd {
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
        ? { state: 'dead', failure: givenUp(outcome.failure, run.job.attempts) }
        : endOfFailure(outcome.failure, run, retrySeconds);
  }
}

function endOfFailure(failure: Failure, { stage, job, input, now }: EndedAttempt, retrySeconds: number): JobEnd {
  const rule = input === undefined || input === null ? undefined : stage.retryRule?.(failure, input);
  return decideFailure(failure, job, now, retrySeconds, rule);
}

/** The one transaction that ends a run: the job's row under its fence, what the stage makes of it, the history, the outbox. */
export async function commitEnd(settings: AttemptSettings, run: EndedAttempt, outcome: AttemptOutcome, end: JobEnd): Promise<void> {
  faultPoint('commit:before');
  await settings.database.unitOfWork(async (uow) => {
    if (outcome.kind === 'wait' && outcome.redo !== undefined) await forgetFrom(uow, run, outcome.redo);
    const step = 'step' in outcome ? outcome.step : null;
    // the stage's statements go to the server behind this one without waiting for its answer; without the job nothing of it stays
    const ended = uow.jobs.end(run.job, end, step).then((ours) => {
      if (!ours) throw new LostLease('the job was taken by another worker');
    });
    const type = eventTypeOf(run.stage.name, outcome, end);
    const reason =
      'failure' in outcome ? outcome.failure.message : 'reason' in end ? end.reason : outcome.kind === 'skip' ? outcome.details : null;
    const event = type === null ? null : uow.history.append({ ...eventOf(run.job, type as never), reason });
    const [, turned] = await bothOf(ended, commitStage(uow, run, outcome, end));
    if (event !== null && turned)
      Object.assign(event, { type: eventTypeOf(run.stage.name, turned, end), reason: cutText(turned.details, 300) });
    if (event !== null) event.state = await uow.subjectState(run.job);
    if (end.state === 'dead') await uow.outbox.add([deadLetter(run.job, end.failure, step)]);
  });
  faultPoint('commit:after');
}

/** Waits for both, so that neither is left asking when the transaction ends; what the first one failed of is the reason of what follows. */
async function bothOf<A, B>(first: Promise<A>, second: Promise<B>): Promise<[A, B]> {
  await Promise.allSettled([first, second]);
  return [await first, await second];
}

/** Before the job's end is written: nobody holds it after that. */
async function forgetFrom(uow: UnitOfWork, { stage, job }: EndedAttempt, redo: string): Promise<void> {
  const first = stage.steps.findIndex((step) => step.name === redo);
  if (first < 0) throw new Error(`${stage.name} has no step ${redo} that could be done again`);
  const names = stage.steps.slice(first).flatMap((step) => [step.name, checkpointKey(step.name)]);
  if (!(await uow.jobs.removeFromJournal(job, names))) throw new LostLease('the job was taken by another worker');
  for (const name of names.filter((one) => one in job.journal)) job.journal[name] = null;
}

/** Answers the skip that a finished run turned into. */
async function commitStage(
  uow: UnitOfWork,
  { stage: { commit }, job, input, now }: EndedAttempt,
  outcome: AttemptOutcome,
  end: JobEnd,
): Promise<Skipped | void> {
  // without an input there is nothing that the stage could write about
  if (input === undefined || input === null) return;
  if (end.state === 'waiting') {
    const evidence = outcome.kind === 'wait' ? outcome.evidence : undefined;
    await commit.waiting?.(uow, input, new Date(now.getTime() + end.inSeconds * 1000), end.reason, job, evidence);
  } else if (end.state === 'dead') {
    const { step = '', reached = undefined } = outcome.kind === 'fail' ? outcome : {};
    await commit.failed(uow, input, end.failure, step, job, reached);
  } else if (outcome.kind === 'done') {
    const turned = await commit.done(uow, input, outcome.output, job);
    if (turned) await commit.skipped(uow, input, turned.reason, turned.details, job, turned.evidence);
    return turned;
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
