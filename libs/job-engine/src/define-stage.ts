import type { SkipReason, Stage } from '@autoposter/contracts';
import type { Failure, RetryRule } from '@autoposter/domain';
import type { StageJob, UnitOfWork } from '@autoposter/persistence';
import type { Skipped, Step } from './define-step';

// `any` lets the chain below compare what one step gives with what the next one takes; a fixed type would hide a mismatch.
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- see above
export type AnyStep = Step<any, any, any>;

type InputOf<S> = S extends Step<infer Input, infer _Output, infer _Tools> ? Input : never;
type OutputOf<S> = S extends Step<infer _Input, infer Output, infer _Tools> ? Output : never;

/** The tools that all steps together ask for. */
export type ToolsOf<Steps extends readonly AnyStep[]> = Steps extends readonly [infer First, ...infer Rest]
  ? First extends Step<infer _Input, infer _Output, infer Tools>
    ? Rest extends readonly AnyStep[]
      ? Tools & ToolsOf<Rest>
      : Tools
    : never
  : unknown;

type LastOutput<Steps extends readonly AnyStep[]> = Steps extends readonly [...infer _Before, infer Last] ? OutputOf<Last> : never;

/** Each step must accept what the one before it gives; a wrong order becomes a type that nothing fits. */
export type Chain<Input, Steps extends readonly AnyStep[]> = Steps extends readonly [infer First, ...infer Rest]
  ? [Input] extends [InputOf<First>]
    ? Rest extends readonly AnyStep[]
      ? readonly [First, ...Chain<OutputOf<First>, Rest>]
      : never
    : readonly [{ 'this step does not take what the one before it gives': [Input, InputOf<First>] }, ...Rest]
  : readonly [];

/**
 * What the result of a run becomes in the database. Each function runs in the runner's one transaction, under the job's fence, beside
 * the job's own row, the history and the outbox: all or nothing. None may touch the outside world.
 */
export interface StageCommit<Input, Output> {
  /** The first time that a run of this job starts. */
  started?(uow: UnitOfWork, input: Input, job: StageJob): Promise<void>;
  /** Answers a `skip` where the transaction finds, under its locks, that the post is to be left out after all: `skipped` is called then. */
  done(uow: UnitOfWork, input: Input, output: Output, job: StageJob): Promise<Skipped | void>;
  skipped(uow: UnitOfWork, input: Input, reason: SkipReason, details: string, job: StageJob, evidence?: unknown): Promise<void>;
  /**
   * The job is dead: attempts used up, or a failure that no repetition mends. `reached` is what the last finished step of this run gave,
   * `undefined` where none had finished.
   */
  failed(uow: UnitOfWork, input: Input, failure: Failure, step: string, job: StageJob, reached?: unknown): Promise<void>;
  waiting?(uow: UnitOfWork, input: Input, until: Date, reason: string, job: StageJob, evidence?: unknown): Promise<void>;
  /**
   * Before an irreversible step: committed, then the call. `stepInput` is what the step will get. Answers a `skip` where the call must not
   * be made after all: nothing written here stays, and `skipped` is called.
   */
  intended?(uow: UnitOfWork, input: Input, stepInput: unknown, job: StageJob): Promise<Skipped | void>;
  /** After an irreversible step of which nobody knows whether it happened (also when a process died between intent and answer). */
  unknown?(uow: UnitOfWork, input: Input, failure: Failure, job: StageJob): Promise<void>;
}

export interface StageLimits {
  /** One run, all steps together, in milliseconds. */
  timeoutMs: number;
  /** Runs at a time in one process. */
  slots: number;
  /** Runs beside `slots` for jobs that a person waits for, so that long automatic work does not hold them up. */
  slotsForPeople?: number;
}

export interface StageDefinition<Input, Steps extends readonly AnyStep[]> {
  name: Stage;
  limits: StageLimits;
  /** Reads what the job is about; `null` when it is gone or no longer wants this stage: the job is cancelled. */
  load(uow: UnitOfWork, job: StageJob): Promise<Input | null>;
  steps: Steps & Chain<Input, Steps>;
  commit: StageCommit<Input, LastOutput<Steps>>;
  /** Overrides `FAILURE_POLICY` for what the kind of a failure alone does not tell. */
  retryRule?(failure: Failure, input: Input): RetryRule | undefined;
}

/** The page on the wall: name, steps in order, what is committed, limits. A wrong order of steps does not compile. */
export const defineStage = <Input, const Steps extends readonly AnyStep[]>(
  stage: StageDefinition<Input, Steps>,
): StageDefinition<Input, Steps> => stage;

/* eslint-disable @typescript-eslint/no-explicit-any -- the types were checked where the stage was defined; only its own steps know them */
/** What the runner works with. */
export interface AnyStage {
  name: Stage;
  limits: StageLimits;
  load(uow: UnitOfWork, job: StageJob): Promise<unknown>;
  steps: readonly AnyStep[];
  commit: StageCommit<any, any>;
  retryRule?(failure: Failure, input: any): RetryRule | undefined;
}
/* eslint-enable @typescript-eslint/no-explicit-any */

/** A stage with the tools that its steps ask for. */
export interface BoundStage {
  stage: AnyStage;
  tools: unknown;
}

/** Gives a stage its tools; a missing tool does not compile. */
export function bindStage<Input, const Steps extends readonly Step<never, unknown, never>[]>(
  stage: StageDefinition<Input, Steps>,
  tools: ToolsOf<Steps>,
): BoundStage {
  return { stage: stage as unknown as AnyStage, tools };
}
