import { type FactType, type Stage, type StageFact, STAGE_FACTS } from '@autoposter/contracts';
import { cutText, type Failure, secondsAfter } from '@autoposter/domain';
import type { AttemptEnd, JobEnd, StageJob, UnitOfWork } from '@autoposter/persistence';
import { decideFailure, givenUp } from './decide-failure';
import type { AnyStage } from './define-stage';
import { checkpointKey, type Skipped, type StepResult } from './define-step';

/** Journal entry that marks the stage's `started` as committed. No step may have this name. */
const STARTED = '$started';

/** The outcome of one attempt. A `final` failure ends the job without regard to its retry rule; `reached` is the last known output of the steps. */
export type AttemptOutcome =
  | Extract<StepResult<unknown>, { kind: 'done' | 'skip' | 'wait' }>
  | { kind: 'fail'; failure: Failure; step: string; final: boolean; reached?: unknown }
  | { kind: 'unknown'; failure: Failure; step: string }
  /** The subject no longer exists or no longer needs this stage. */
  | { kind: 'cancelled' }
  /** The process drains, or the job waited too long for a slot. `step` is null if nothing has begun. */
  | { kind: 'released'; step: string | null };

export interface EndedAttempt {
  stage: AnyStage;
  job: StageJob;
  /** `undefined` if it could not be read. */
  input: unknown;
  /** The database clock. */
  now: Date;
}

/** Maps an outcome to the job's next state. */
export function endOf(outcome: AttemptOutcome, { stage, job, input, now }: EndedAttempt, retrySeconds: number): JobEnd {
  switch (outcome.kind) {
    case 'done':
    case 'skip':
    case 'unknown':
      return { state: 'done' };
    case 'cancelled':
    case 'released':
      return { state: outcome.kind };
    case 'wait':
      return { state: 'waiting', inSeconds: outcome.seconds, reason: outcome.reason };
    case 'fail': {
      if (outcome.final) return { state: 'dead', failure: givenUp(outcome.failure, job.attempts) };
      const rule = hasInput(input) ? stage.retryRule?.(outcome.failure, input) : undefined;
      return decideFailure(outcome.failure, job, now, retrySeconds, rule);
    }
  }
}

/** Without an input the stage cannot judge or record the end. */
const hasInput = (input: unknown): boolean => input !== undefined && input !== null;

/** What an attempt commits under its job's fence, alone or in one transaction with others. */
export interface AttemptWrite<T = unknown> {
  job: StageJob;
  /** `null`: the attempt starts. */
  end: AttemptEnd | null;
  /** Writes the rest, once the job's row is written and locked. */
  write(uow: UnitOfWork): Promise<T>;
}

/** Loads the input of the first attempt of a job, `null` if its subject no longer needs the stage, and commits the stage's `started`. */
export const attemptStart = ({ name, load, commit }: AnyStage, job: StageJob): AttemptWrite => ({
  job,
  end: null,
  async write(uow) {
    const input: unknown = await load(uow, job);
    if (input === null) return null;
    await commit.started?.(uow, input, job);
    uow.history.append(eventOf(job, `${name}.started`));
    return input;
  },
});

/** Whether the first attempt of this job has to commit a start. The claim was committed before, so that an attempt with unreadable input counts. */
export const hasToStart = ({ commit }: AnyStage, { journal }: StageJob): boolean => commit.started !== undefined && !(STARTED in journal);

/** What an end writes: the job's row, the stage's own writes, event history and outbox. */
export function attemptEnd(ended: EndedAttempt, outcome: AttemptOutcome, end: JobEnd): AttemptWrite<void> {
  const { job, stage } = ended;
  const forget = outcome.kind === 'wait' && outcome.redo !== undefined ? entriesFrom(stage, outcome.redo) : [];
  const step = 'step' in outcome ? outcome.step : null;
  return {
    job,
    end: { id: job.id, fence: job.fence, end, step, forget },
    async write(uow) {
      for (const name of forget.filter((one) => one in job.journal)) job.journal[name] = null;
      // a stage's commit updates its input in place, and a repeated transaction must start from the same
      const attempt = { ...ended, input: structuredClone(ended.input) };
      const type = eventTypeOf(stage.name, outcome, end);
      // before the events of the stage's commit, which may still turn it into a skip
      const event = type === null ? null : uow.history.append({ ...eventOf(job, type as never), reason: reasonOf(outcome, end) });
      const skipped = await commitStage(uow, attempt, outcome, end);
      if (event !== null && skipped)
        Object.assign(event, { type: eventTypeOf(stage.name, skipped, end), reason: cutText(skipped.details, 300) });
      if (event !== null) event.state = await uow.subjectState(job);
      if (end.state === 'dead') uow.outbox.bury(job, end.failure, step);
      // another process can claim it at once, and where requests are published it counts as lag again
      if (end.state === 'released') uow.outbox.request([{ ...job, requestNumber: job.requestNumber + 1 }]);
    },
  };
}

/** Why the attempt did not complete the stage; `null` if it did. */
function reasonOf(outcome: AttemptOutcome, end: JobEnd): string | null {
  if ('failure' in outcome) return outcome.failure.message;
  if ('reason' in end) return end.reason;
  return outcome.kind === 'skip' ? outcome.details : null;
}

/** The journal entries of a step and of those after it. */
function entriesFrom({ name, steps }: AnyStage, redo: string): string[] {
  const first = steps.findIndex((step) => step.name === redo);
  if (first < 0) throw new Error(`${name} has no step ${redo} to redo`);
  return steps.slice(first).flatMap((step) => [step.name, checkpointKey(step.name)]);
}

/**
 * Writes the rows of all jobs with one statement, then commits the attempts one after the other: locks do not separate the parts of one
 * transaction, so each attempt must see the writes of the previous ones. Returns the results of the attempts whose jobs are still held.
 */
export async function writeAttempts(
  uow: UnitOfWork,
  writes: readonly AttemptWrite[],
  until = Infinity,
): Promise<Map<AttemptWrite, unknown>> {
  const ends = writes.flatMap(({ end }) => end ?? []);
  const starts = writes.filter(({ end }) => end === null).map(({ job }) => job);
  const held = await Promise.all([
    ends.length === 0 ? [] : uow.jobs.endMany(ends),
    starts.length === 0 ? [] : uow.jobs.journalMany(starts, STARTED, true),
  ]);
  const ours = new Set(held.flatMap((ids) => [...ids]));
  const results = new Map<AttemptWrite, unknown>();
  for (const one of writes) {
    if (performance.now() > until) throw new Error('the shared transaction took too long');
    if (ours.has(one.job.id)) results.set(one, await one.write(uow));
  }
  return results;
}

const eventOf = <Type extends StageFact | 'stage.pending' | 'stage.retrying'>(job: StageJob, type: Type) => ({
  type,
  subjectId: job.subjectId,
  itemId: job.itemId,
  stage: job.stage,
  correlationId: job.correlationId,
  causationId: job.causationId,
  traceparent: job.traceparent,
});

/** Returns a skip if the stage's `done` decided to skip after all. */
async function commitStage(
  uow: UnitOfWork,
  { stage: { commit }, job, input, now }: EndedAttempt,
  outcome: AttemptOutcome,
  end: JobEnd,
): Promise<Skipped | void> {
  if (!hasInput(input)) return;
  if (end.state === 'waiting') {
    const evidence = outcome.kind === 'wait' ? outcome.evidence : undefined;
    await commit.waiting?.(uow, input, secondsAfter(now, end.inSeconds), end.reason, job, evidence);
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
