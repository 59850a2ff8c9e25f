import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { text } from 'node:stream/consumers';
import { progress, type TrialArguments, type TrialResult } from '../trial';
import type { PlantedBug } from './database-model';
import { Schedule, type ScheduleReport } from './schedule';
import { replaceGlobals } from './virtual-time';

const SCHEDULES = { short: 2_000, full: 100_000 };
/** One cause breaks many schedules. */
const MAX_FAILURES = 5;

/** Runs schedules `seed`, `seed + 1`, …; ends early after some failures. */
export async function runSchedules(
  seed: number,
  count: number,
  bug: PlantedBug | null = null,
  maxFailures = MAX_FAILURES,
): Promise<ScheduleReport[]> {
  const restore = replaceGlobals();
  const reports: ScheduleReport[] = [];
  try {
    for (let next = seed; next < seed + count; next += 1) {
      const report = await new Schedule(next, bug).run();
      reports.push(report);
      if (reports.filter(({ violations }) => violations.length > 0).length >= maxFailures) break;
      if (reports.length % 5_000 === 0) progress(`${reports.length} of ${count} schedules`);
    }
  } finally {
    restore();
  }
  return reports;
}

const COUNTED = ['jobs', 'calls', 'kills', 'freezes', 'takeovers', 'virtualSeconds'] as const;
type Counts = Record<(typeof COUNTED)[number], number>;

/** The result line of a part. */
interface Part extends Counts {
  n: number;
  failed?: string[];
}

/**
 * The engine on a model of its database and its bus, in virtual time: each schedule draws processes, jobs and faults from its seed. No job may be
 * lost, no effect doubled, no job committed by two holders, and the lag never below the unfinished work. `--seed S --n 1` repeats schedule S.
 */
export async function simulation({ n, seed, full }: TrialArguments): Promise<TrialResult> {
  const count = n ?? (full ? SCHEDULES.full : SCHEDULES.short);
  const parts = full ? await runParts(seed, count) : [await runPart(seed, count)];
  const facts = Object.fromEntries(COUNTED.map((name) => [name, parts.reduce((sum, part) => sum + part[name], 0)]));
  return { n: parts.reduce((sum, part) => sum + part.n, 0), failures: parts.flatMap(({ failed = [] }) => failed), facts };
}

async function runPart(seed: number, count: number): Promise<Part> {
  const reports = await runSchedules(seed, count);
  const counts = COUNTED.map((name) => [name, reports.reduce((sum, report) => sum + report[name], 0)]);
  const failed = reports.flatMap((report) =>
    report.violations.map((violation) => `${violation} (npm run trial -- simulation --seed ${report.seed} --n 1)`),
  );
  return { ...(Object.fromEntries(counts) as Counts), n: reports.length, failed };
}

/** One process per core, each with its share of the seeds. */
async function runParts(seed: number, count: number): Promise<Part[]> {
  const processes = Math.min(availableParallelism(), count);
  const share = Math.ceil(count / processes);
  return Promise.all(
    Array.from({ length: processes }, (_, part) => runProcess(seed + part * share, Math.min(share, count - part * share))),
  );
}

async function runProcess(seed: number, count: number): Promise<Part> {
  const [program = ''] = process.argv.slice(1);
  const child = spawn(process.execPath, [program, 'simulation', '--seed', String(seed), '--n', String(count)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines = (await text(child.stdout)).trim().split('\n');
  return JSON.parse(lines.at(-1) ?? '') as Part;
}
