import type { ItemStage, FailureKind } from '@autoposter/contracts';
import { FAILURES, type FailureCode } from './failure-catalogue';
import { FAILURE_POLICY, NEXT_ACTIONS, type FailureRow, type NextActionCode, type Side } from './failure-kinds';

export type FailureFields = Readonly<Record<string, string | number>>;

/** What went wrong, as data. Decisions read these fields; never a secret, a token or a stack trace. */
interface FailureFacts {
  code: FailureCode;
  kind: FailureKind;
  side: Side;
  action: NextActionCode;
  /** Values of the `{names}` in the sentences of code and action. */
  fields?: FailureFields;
  /** The file of a post with several files, numbered from 1. */
  file?: { number: number; of: number };
  /** Set when the job gave up: how often it was tried. */
  attempts?: number;
  /** `false` where Autoposter does not retry although the kind allows it: an API request, a job found dead. */
  retried?: false;
  /**
   * Seconds from this failure for which a retry is pointless (`rate_limited`, `quota_exceeded`). Adapters give seconds, no time: the clock
   * of a process may be wrong, so the writer of the failure adds them to the database clock.
   */
  retryAfterSeconds?: number;
  /** The same as an ISO time on the database clock, in place of the seconds. */
  retryAt?: string;
  /** The stage whose output is at fault: a retry starts there, not at the stage that failed. */
  resumeFrom?: ItemStage;
  /** The platform's answer to a publish call with an unknown outcome: an error that no retry resolves. */
  answer?: Failure;
  /** Set once the account was read after the call and the post was not there. */
  absent?: true;
  /** Facts for the log and the details panel: status codes, provider codes, trace ids. */
  detail?: Record<string, string | number | boolean | null>;
}

/** The facts with their rendered sentences. */
export interface Failure extends Omit<FailureFacts, 'action'> {
  /** Absent where it is `none`. */
  action?: NextActionCode;
  /** One sentence: what happened. */
  message: string;
  /** What to do next, and whether Autoposter retries. */
  nextAction: string;
}

/** Renders the sentences of a failure. The only place that writes them. */
export function renderFailure(facts: FailureFacts): Failure {
  const { code, action, fields = {}, file, absent } = facts;
  const retry = retrySentence(facts);
  const advice = retry !== null && action === 'none' ? null : fill(NEXT_ACTIONS[action], fields);
  const which = file === undefined ? '' : `File ${file.number} of ${file.of}: `;
  return {
    ...facts,
    message: `${which}${fill(FAILURES[code].message, fields)}${absent ? ' The post is not on the account.' : ''}`,
    nextAction: [retry, advice].filter((part) => part !== null).join(' '),
  };
}

function retrySentence({ kind, action, attempts, retried }: FailureFacts): string | null {
  const rule = FAILURE_POLICY[kind];
  if (rule === 'never') return null;
  if (retried === false)
    return action !== 'none' ? null : rule === 'wait' ? 'Try again when the limit has passed.' : 'Try again in a moment.';
  if (attempts !== undefined)
    return `It was tried ${attempts === 1 ? 'once' : `${attempts} times`}; retry it by hand once the cause is fixed.`;
  return rule === 'wait' ? 'It continues automatically when the limit has passed.' : 'It is retried automatically.';
}

const fill = (sentence: string, fields: FailureFields): string =>
  sentence.replace(/\{(\w+)\}/g, (placeholder, name: string) => String(fields[name] ?? placeholder));

type NamesIn<Sentence extends string> = Sentence extends `${string}{${infer Name}}${infer Rest}` ? Name | NamesIn<Rest> : never;
type FieldsOf<Code extends FailureCode> = Record<NamesIn<(typeof FAILURES)[Code]['message']>, string | number>;

/** Facts of one failure. `kind` and `action` replace those of the catalogue where the same finding means something else. */
type Additions = Partial<Omit<FailureFacts, 'code' | 'fields'>>;
type Parts<Code extends FailureCode> = keyof FieldsOf<Code> extends never ? [Additions?] : [Additions & { fields: FieldsOf<Code> }];

/** The failure of this code. */
export function failureOf<Code extends FailureCode>(code: Code, ...[parts]: Parts<Code>): Failure {
  const { kind, side, action, variables }: FailureRow = FAILURES[code];
  const { fields, ...additions } = (parts ?? {}) as Additions & { fields?: FailureFields };
  const values = { ...(variables === undefined ? {} : { variables }), ...fields };
  return renderFailure({ code, kind, side, action, ...(Object.keys(values).length === 0 ? {} : { fields: values }), ...additions });
}

/** The same failure with other facts; its sentences follow. */
export const changeFailure = (failure: Failure, changes: Additions): Failure => renderFailure({ action: 'none', ...failure, ...changes });

/** Adds the platform's answer to the failure of a call with an unknown outcome. */
export const withAnswerOf = (earlier: Failure | null, failure: Failure): Failure =>
  earlier?.answer === undefined ? failure : { ...failure, answer: earlier.answer };

/** Seconds from `now`, a time of the database clock, until a retry makes sense; `null` where the failure names none. */
export function secondsUntilRetry({ retryAfterSeconds, retryAt }: Failure, now: Date): number | null {
  const seconds = retryAfterSeconds ?? (retryAt === undefined ? Number.NaN : (Date.parse(retryAt) - now.getTime()) / 1000);
  return Number.isFinite(seconds) ? seconds : null;
}

/** The failure with the time, on the database clock, from which a retry makes sense. */
export function withRetryAt({ retryAfterSeconds: _replaced, ...failure }: Failure, moment: Date): Failure {
  return { ...failure, retryAt: moment.toISOString() };
}

/**
 * Seconds that an HTTP answer asks to wait: `Retry-After` in seconds, or as a date measured against the answer's own `Date`, so that no
 * clock of ours matters; `null` where it has neither.
 */
export function retryAfterOf(headers: { retryAfter: string | null | undefined; date: string | null | undefined }): number | null {
  const wanted = headers.retryAfter?.trim() ?? '';
  if (/^\d{1,12}(?:\.\d{1,9})?$/.test(wanted)) return Number(wanted);
  if (!/^[A-Za-z]{3,9},? /.test(wanted)) return null;
  const seconds = (Date.parse(wanted) - Date.parse(headers.date ?? '')) / 1000;
  return Number.isFinite(seconds) ? Math.max(seconds, 0) : null;
}

export class PipelineError extends Error {
  override readonly name = 'PipelineError';

  constructor(
    readonly failure: Failure,
    options?: { cause?: unknown },
  ) {
    super(failure.message, options);
  }

  /** Throws-ready failure of this code. */
  static of<Code extends FailureCode>(code: Code, ...parts: Parts<Code>): PipelineError {
    return new PipelineError(failureOf(code, ...parts));
  }
}

/** Whether another attempt would fail in the same way. */
export const isPermanent = (error: unknown): error is PipelineError =>
  error instanceof PipelineError && FAILURE_POLICY[error.failure.kind] === 'never';

/** Whether the publishing platform refused. A value that it refuses can be a defect of ours, or the choice of an administrator. */
export const isOfPlatform = ({ side, detail }: Pick<Failure, 'side' | 'detail'>): boolean =>
  side === 'instagram' || typeof detail?.['code'] === 'number';

/** Kinds with which an API refuses this post for good, although a person may publish it in the app. */
const REFUSED_FOR_GOOD: ReadonlySet<FailureKind> = new Set(['not_offered', 'upstream_rejected', 'unsupported_media', 'too_large']);

/** An input that Autoposter itself refused can be corrected instead. */
export const isRefusedForGood = (failure: Pick<Failure, 'kind' | 'side' | 'detail'>): boolean =>
  REFUSED_FOR_GOOD.has(failure.kind) || (failure.kind === 'invalid_input' && isOfPlatform(failure));

/** The failure of one file; if there are several, it names the file. */
export const failureOfFile = (failure: Failure, files: readonly unknown[], index: number): Failure =>
  files.length < 2 ? failure : changeFailure(failure, { file: { number: index + 1, of: files.length } });

/** Runs `work` for each file in order. If there are several files, a failure names the one it is about. */
export async function mapFiles<File, Result>(
  files: readonly File[],
  work: (file: File, index: number) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  for (const [index, file] of files.entries()) {
    try {
      results.push(await work(file, index));
    } catch (error) {
      if (!(error instanceof PipelineError)) throw error;
      throw new PipelineError(failureOfFile(error.failure, files, index), { cause: error });
    }
  }
  return results;
}

/** Turns anything thrown into a `Failure`; an unclassified error is `unexpected_error`, and its text goes to the log only. */
export function toFailure(error: unknown): Failure {
  if (error instanceof PipelineError) return error.failure;
  return failureOf('unexpected_error', { detail: { error: error instanceof Error ? error.name : typeof error } });
}
