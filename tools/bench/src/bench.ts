import os from 'node:os';

export { progress } from '@autoposter/testkit';

/** The workspace root: benchmarks run from there. */
export const ROOT = process.cwd();

export interface BenchArguments {
  /** Items or repetitions; `null` selects the default of the benchmark. */
  n: number | null;
  /** Measurements per peer. */
  rounds: number | null;
  /** Names of the parts to run, separated by commas; all if `null`. Only some benchmarks have parts. */
  part: string | null;
}

export interface BenchResult {
  /** Lines of the printed table. */
  table: readonly string[];
  /** One sentence per broken rule, which makes the command fail. */
  failures?: readonly string[];
  /** The result as JSON. */
  facts: Record<string, unknown>;
}

export type Bench = (args: BenchArguments) => Promise<BenchResult>;

/** The machine of the measurement. */
export const aboutMachine = (): Record<string, unknown> => ({
  date: new Date().toISOString().slice(0, 10),
  node: process.version,
  cpu: os.cpus()[0]?.model.trim() ?? 'unknown',
  cores: os.cpus().length,
  memoryGiB: Math.round(os.totalmem() / 2 ** 30),
  load: os.loadavg().map((one) => Number(one.toFixed(1))),
});
