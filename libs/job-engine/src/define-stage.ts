import type { SkipReason, Stage } from '@autoposter/contracts';
import type { Failure, RetryRule } from '@autoposter/domain';
import type { StageJob, UnitOfWork } from '@autoposter/persistence';
import type { Skipped, Step, Waits } from './define-step';

// `any` lets `Chain` compare the output of one step with the input of the next; a fixed type would hide a mismatch.
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- see above
export type AnyStep = Step<any, any, any>;

type InputOf<S> = S extends Step<infer Input, infer _Output, infer _Tools> ? Input : never;
type OutputOf<S> = S extends Step<infer _Input, infer Output, infer _Tools> ? Output : never;

/** The tools that all steps need together. */
export type ToolsOf<Steps extends readonly AnyStep[]> = Steps extends readonly [
  Step<infer _Input, infer _Output, infer Tools>,
  ...infer Rest extends readonly AnyStep[],
]
  ? Tools & ToolsOf<Rest>
  : unknown;

type LastOutput<Steps extends readonly AnyStep[]> = Steps extends readonly [...infer _Before, infer Last] ? OutputOf<Last> : never;

/** Each step must accept the output of the step before it; a wrong order becomes a type that no value satisfies. */
type Chain<Input, Steps extends readonly AnyStep[]> = Steps extends readonly [infer First, ...infer Rest extends readonly AnyStep[]]
  ? [Input] extends [InputOf<First>]
    ? readonly [First, ...Chain<OutputOf<First>, Rest>]
    : readonly [{ 'this step does not accept the output of the step before it': [Input, InputOf<First>] }, ...Rest]
  : readonly [];

/**
 * Writes the result of an attempt. Each function runs in the engine's transaction, under the job's fence, together with the job's row, the
 * event history and the outbox. None may cause an effect outside the database.
 */
export interface StageCommit<Input, Output> {
  /** Before the first attempt of the job. */
  started?(uow: UnitOfWork, input: Input, job: StageJob): Promise<void>;
  /** Returns a `skip` if the transaction finds, under its locks, that the item must be skipped after all; then `skipped` is called. */
  done(uow: UnitOfWork, input: Input, output: Output, job: StageJob): Promise<Skipped | void>;
  skipped(uow: UnitOfWork, input: Input, reason: SkipReason, details: string, job: StageJob, evidence?: unknown): Promise<void>;
  /**
   * The job is dead: its attempts are used up, or the failure is permanent. `reached` is the output of the last step that finished,
   * `undefined` if none did.
   */
  failed(uow: UnitOfWork, input: Input, failure: Failure, step: string, job: StageJob, reached?: unknown): Promise<void>;
  waiting?(uow: UnitOfWork, input: Input, until: Date, reason: string, job: StageJob, evidence?: unknown): Promise<void>;
  /**
   * Before an irreversible step; the call follows the commit. Returns a `skip` or a `wait` if the call must not be made, or not now: then this
   * transaction is rolled back, and `skipped` or `waiting` is called.
   */
  intended?(uow: UnitOfWork, input: Input, stepInput: unknown, job: StageJob): Promise<Skipped | Waits | void>;
  /** After an irreversible step with an unknown outcome, also when a process died between intent and answer. */
  unknown?(uow: UnitOfWork, input: Input, failure: Failure, job: StageJob): Promise<void>;
}

interface StageLimits {
  /** Limit of one attempt, in milliseconds. */
  timeoutMs: number;
  /** Concurrent attempts per process. */
  slots: number;
  /** Extra slots for jobs that a person waits for, so that long automatic jobs do not delay them. */
  slotsForPeople?: number;
}

export interface StageDefinition<Input, Steps extends readonly AnyStep[]> {
  name: Stage;
  limits: StageLimits;
  /** Loads the input. `null` if the subject is gone or no longer needs this stage: then the job is cancelled. */
  load(uow: UnitOfWork, job: StageJob): Promise<Input | null>;
  steps: Steps & Chain<Input, Steps>;
  commit: StageCommit<Input, LastOutput<Steps>>;
  /** Overrides `FAILURE_POLICY` where the kind of a failure is not enough to decide. */
  retryRule?(failure: Failure, input: Input): RetryRule | undefined;
}

/** Declares a stage: name, steps in order, commit functions, limits. A wrong order of steps does not compile. */
export const defineStage = <Input, const Steps extends readonly AnyStep[]>(
  stage: StageDefinition<Input, Steps>,
): StageDefinition<Input, Steps> => stage;

/* eslint-disable @typescript-eslint/no-explicit-any -- `defineStage` checked the types; only the stage's own steps know them */
/** A stage as the engine sees it. */
export interface AnyStage extends Omit<StageDefinition<any, readonly []>, 'steps' | 'commit'> {
  steps: readonly AnyStep[];
  commit: StageCommit<any, any>;
}
/* eslint-enable @typescript-eslint/no-explicit-any */

/** A stage with the tools of its steps. */
export interface BoundStage {
  stage: AnyStage;
  tools: unknown;
  /** The tools for one input, where they depend on it. */
  toolsFor?: (input: unknown) => Promise<unknown>;
  /** Called with the objects that an attempt stored before it lost its job, to another worker or to a cancellation. Must not reject. */
  discard?: (jobId: string, keys: readonly string[]) => Promise<void>;
}

/** Binds a stage to its tools, or to those for each input; a missing tool does not compile. */
export function bindStage<Input, const Steps extends readonly Step<never, unknown, never>[]>(
  stage: StageDefinition<Input, Steps>,
  tools: ToolsOf<Steps>,
  toolsFor?: (input: Input) => Promise<ToolsOf<Steps>>,
): BoundStage {
  return { stage: stage as unknown as AnyStage, tools, toolsFor: toolsFor as BoundStage['toolsFor'] };
}
