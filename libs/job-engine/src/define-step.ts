import type { SkipReason } from '@autoposter/contracts';
import type { Failure } from '@autoposter/domain';
import type { Logger } from '@autoposter/observability';

/**
 * What running a step does to the world. The runner derives from it what may be repeated: `pure` and `read` run again freely,
 * `idempotent` may run again but its journaled output is used instead, `irreversible` runs at most once per committed intent.
 */
export type Effect = 'pure' | 'read' | 'idempotent' | 'irreversible';

export type StepResult<Output> =
  | { kind: 'done'; output: Output }
  | { kind: 'skip'; reason: SkipReason; details: string; evidence?: unknown }
  | { kind: 'fail'; failure: Failure; reached?: unknown }
  | { kind: 'wait'; seconds: number; reason: string; redo?: string; evidence?: unknown }
  | { kind: 'unknown'; failure: Failure };

/** The post is left out on purpose: see `skip`. */
export type Skipped = Extract<StepResult<never>, { kind: 'skip' }>;

export const done = <Output>(output: Output): StepResult<Output> => ({ kind: 'done', output });
/** The post is left out on purpose, with one of the reasons that the skipped log shows; `evidence` is what the commit keeps of it. */
export const skip = (reason: SkipReason, details: string, evidence?: unknown): Skipped => ({
  kind: 'skip',
  reason,
  details,
  evidence,
});
/** `reached` is what the step had found out all the same, in the shape of its output; unless given, the commit gets the output of the step before. */
export const fail = (failure: Failure, reached?: unknown): StepResult<never> => ({ kind: 'fail', failure, reached });
/**
 * Come back in `seconds`: frees the slot and the offset, and burns no attempt. `redo` names an earlier step whose output is good for
 * nothing any more: it and those after it run again then. The stage's `waiting` finds `null` in its place in the journal. `evidence` is
 * what the stage's `waiting` keeps of it.
 */
export const wait = (
  seconds: number,
  reason: string,
  { redo, evidence }: { redo?: string; evidence?: unknown } = {},
): StepResult<never> => ({
  kind: 'wait',
  seconds,
  reason,
  ...(redo === undefined ? {} : { redo }),
  ...(evidence === undefined ? {} : { evidence }),
});
/** Only for an irreversible step: nobody knows whether it happened. The stage's `unknown` commit decides who looks. */
export const unknown = (failure: Failure): StepResult<never> => ({ kind: 'unknown', failure });

export interface StepContext {
  /** Aborted when the lease is lost, the time limit is reached or the process drains. */
  signal: AbortSignal;
  /** A folder of this run's own; gone when the run ends, however it ends. */
  workFolder: string;
  jobId: string;
  subjectId: string;
  attempt: number;
  /** A person waits for the result. */
  forPerson: boolean;
  /** The database clock when the step began; steps never read another. */
  now: Date;
  logger: Logger;
  /**
   * Throws where the lease may be over. An irreversible step calls it in the same turn of the event loop in which the request leaves: a
   * process that was frozen since the intent must not call.
   */
  assertHeld(): void;
  /** What the step kept in an earlier run of this job, `undefined` where that is nothing. Good for nothing any more after a `redo` of the step. */
  kept: unknown;
  /**
   * Journals, as plain JSON, what is done or seen in a step of several acts or looks, so that the next run goes on from there. Not for an
   * irreversible step.
   */
  keep(done: unknown): Promise<void>;
}

/** When a step of this job had to wait first; kept, so that what waits for others can be given up in the end. */
export async function waitingSince({ kept, keep, now }: Pick<StepContext, 'kept' | 'keep' | 'now'>): Promise<Date> {
  if (typeof kept === 'string') return new Date(kept);
  await keep(now.toISOString());
  return now;
}

const KEPT = '$kept';
/** Where in the journal of a job a step keeps what it has done so far; no step can have this name. */
export const checkpointKey = (step: string): string => `${step}${KEPT}`;
export const isCheckpoint = (entry: string): boolean => entry.endsWith(KEPT);

/**
 * One tool on the bench. A step never writes a status, publishes, or reads the environment or the clock: `tools` holds exactly the
 * adapters that it needs. Outputs of `idempotent` and `irreversible` steps are journaled and must be plain JSON that carries all
 * that the later steps need, for a resumed job goes on from the last journaled output.
 */
export interface Step<Input, Output, Tools> {
  name: string;
  effect: Effect;
  run(input: Input, tools: Tools, context: StepContext): Promise<StepResult<Output>>;
  /**
   * Takes back what the step did when a later step ends the job for good; called in reverse order. For what is this run's alone. A stored
   * file is not: it is named by its content, so another post may rely on it from the same moment; what no row names is swept later. Nor
   * is a request to a model, which the provider has counted, or a container at Instagram, which ends by itself.
   */
  undo?(output: Output, tools: Tools): Promise<void>;
}

export const defineStep = <Input, Output, Tools = unknown>(step: Step<Input, Output, Tools>): Step<Input, Output, Tools> => step;
