export interface TrialArguments {
  /** How many cases at most; `null` takes what the trial says. */
  n: number | null;
  seed: number;
  /** The long form, whose result stands in docs/TRIALS.md. */
  full: boolean;
}

export interface TrialResult {
  /** Independent cases that were looked at. */
  n: number;
  /** One sentence per failure; empty when the trial is green. */
  failures: string[];
  /** Numbers worth keeping. */
  facts?: Record<string, unknown>;
}

export type Trial = (args: TrialArguments) => Promise<TrialResult>;

const startedAt = performance.now();

/** Progress for a person; the result alone goes to standard output. */
export function tell(text: string): void {
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1).padStart(6);
  process.stderr.write(`${seconds} s  ${text}\n`);
}

/** The checkout: trials are started from its root. */
export const ROOT = process.cwd();
