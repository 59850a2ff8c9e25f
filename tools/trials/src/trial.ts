export { progress } from '@autoposter/testkit';

export interface TrialArguments {
  /** Maximum number of cases; `null` selects the default of the trial. */
  n: number | null;
  seed: number;
  /** The one case to run; `null` runs all. */
  only: string | null;
  /** The long form, with results in docs/TRIALS.md. */
  full: boolean;
  /** Runs with each planted bug, which the trial has to find. */
  planted: boolean;
  /** With processes and requests over HTTP instead of virtual time; only `publish` has this form. */
  real: boolean;
}

export interface TrialResult {
  /** Number of independent cases. */
  n: number;
  /** One sentence per failure; empty when the trial passed. */
  failures: string[];
  /** Measurements for the result line. */
  facts?: Record<string, unknown>;
}

export type Trial = (args: TrialArguments) => Promise<TrialResult>;

/** The workspace root: trials run from there. */
export const ROOT = process.cwd();

/** Pseudorandom generator (mulberry32): the same seed selects the same cases. */
export class SeededRandom {
  private state: number;

  constructor(seed: number) {
    this.state = Math.imul(seed, 0x9e3779b1) | 0;
  }

  /** A number in [0, 1). */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }

  shuffled<T>(values: readonly T[]): T[] {
    const left = [...values];
    for (let index = left.length - 1; index > 0; index -= 1) {
      const other = Math.floor(this.next() * (index + 1));
      [left[index], left[other]] = [left[other] as T, left[index] as T];
    }
    return left;
  }
}
