/** The checkout: benchmarks are started from its root. */
export const ROOT = process.cwd();

export interface BenchArguments {
  /** Items or repetitions; `null` takes what the benchmark says. */
  n: number | null;
  /** How often each side is measured, in turn. */
  rounds: number | null;
}

export interface BenchResult {
  /** For a person, line by line. */
  table: readonly string[];
  /** The same for a program. */
  facts: Record<string, unknown>;
}

export type Bench = (args: BenchArguments) => Promise<BenchResult>;

const startedAt = performance.now();

/** Progress for a person; the result alone goes to standard output. */
export function tell(text: string): void {
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1).padStart(6);
  process.stderr.write(`${seconds} s  ${text}\n`);
}
