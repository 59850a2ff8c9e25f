import type { SkipReason } from '@autoposter/contracts';
import type { Failure } from '@autoposter/domain';
import type { Logger } from '@autoposter/observability';

/**
 * The side effect of a step, which decides whether it may be repeated: `pure` and `read` steps run again freely, the journaled output of
 * an `idempotent` step replaces a second run, an `irreversible` step runs at most once per committed intent.
 */
type Effect = 'pure' | 'read' | 'idempotent' | 'irreversible';

export type StepResult<Output> =
  | { kind: 'done'; output: Output }
  | { kind: 'skip'; reason: SkipReason; details: string; evidence?: unknown }
  | { kind: 'fail'; failure: Failure; reached?: unknown }
  | { kind: 'wait'; seconds: number; reason: string; redo?: string; evidence?: unknown }
  | { kind: 'unknown'; failure: Failure };

/** See `skip`. */
export type Skipped = Extract<StepResult<never>, { kind: 'skip' }>;
/** See `wait`. */
export type Waits = Extract<StepResult<never>, { kind: 'wait' }>;

export const done = <Output>(output: Output): StepResult<Output> => ({ kind: 'done', output });
/** The item is skipped on purpose, with a reason that the skipped log shows. The stage's `skipped` may store `evidence`. */
export const skip = (reason: SkipReason, details: string, evidence?: unknown): Skipped => ({
  kind: 'skip',
  reason,
  details,
  evidence,
});
/** `reached` is a partial result in the shape of the step's output; by default the commit gets the output of the step before. */
export const fail = (failure: Failure, reached?: unknown): StepResult<never> => ({ kind: 'fail', failure, reached });
/**
 * Continue in `seconds`: frees the slot and the offset and consumes no attempt. `redo` names an earlier step whose output is no longer
 * valid: it and the steps after it run again, and the stage's `waiting` finds `null` as their journal entries. The stage's `waiting` may
 * store `evidence`.
 */
export const wait = (seconds: number, reason: string, { redo, evidence }: { redo?: string; evidence?: unknown } = {}): Waits => ({
  kind: 'wait',
  seconds,
  reason,
  redo,
  evidence,
});
/** Only for an irreversible step with an unknown outcome. The stage's `unknown` commit starts its reconciliation. */
export const unknown = (failure: Failure): StepResult<never> => ({ kind: 'unknown', failure });

export interface StepContext {
  /** Aborted when the lease is lost, the time limit is reached or the process drains. */
  signal: AbortSignal;
  /** The attempt's own folder, deleted when the attempt ends. */
  workFolder: string;
  jobId: string;
  /** Number of this claim of the job: a transaction that writes only while the job is still held compares it. */
  fence: number;
  subjectId: string;
  attempt: number;
  /** A person waits for the result. */
  forPerson: boolean;
  /** The database clock at the start of the step. Steps read no other clock. */
  now: Date;
  logger: Logger;
  /**
   * Throws if the lease may have expired, as it is checked before each step. A step with several calls repeats it, and an irreversible one
   * calls it in the same event-loop turn as its request: a process that was frozen since the intent must not send it.
   */
  assertHeld(): void;
  /** Names an object that the step has stored, so that it is deleted if the job was cancelled meanwhile. */
  noteStored(key: string): void;
  /** What the step saved in an earlier attempt of this job; `undefined` if nothing, or after a `redo` of the step. */
  checkpoint: unknown;
  /** Journals the progress of a step as plain JSON, so that the next attempt continues from there. Not for an irreversible step. */
  saveCheckpoint(progress: unknown): Promise<void>;
}

/** When this step first had to wait; saved as its checkpoint, so that the wait can have a limit. */
export async function waitingSince({
  checkpoint,
  saveCheckpoint,
  now,
}: Pick<StepContext, 'checkpoint' | 'saveCheckpoint' | 'now'>): Promise<Date> {
  if (typeof checkpoint === 'string') return new Date(checkpoint);
  await saveCheckpoint(now.toISOString());
  return now;
}

// part of stored journals, so the value must not change
const CHECKPOINT_SUFFIX = '$kept';
/** Journal key of a step's checkpoint. No step may have such a name. */
export const checkpointKey = (step: string): string => `${step}${CHECKPOINT_SUFFIX}`;
export const isCheckpoint = (entry: string): boolean => entry.endsWith(CHECKPOINT_SUFFIX);

/**
 * A step never writes a status, publishes, or reads the environment or the clock: `tools` holds exactly the adapters that it needs. The
 * outputs of `idempotent` and `irreversible` steps are journaled. They must be plain JSON with everything that later steps need, because
 * a resumed job continues from the last journaled output.
 */
export interface Step<Input, Output, Tools> {
  name: string;
  effect: Effect;
  run(input: Input, tools: Tools, context: StepContext): Promise<StepResult<Output>>;
}

export const defineStep = <Input, Output, Tools = unknown>(step: Step<Input, Output, Tools>): Step<Input, Output, Tools> => step;
