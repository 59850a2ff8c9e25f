import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { temporaryFolder } from '@autoposter/testkit';
import { aboutMachine, type BenchArguments, type BenchResult, progress } from '../bench';
import { cpuOfReaped, cpuOfTree } from '../machine/cpu-time';
import { type BenchPostgres, startPostgres } from '../machine/servers';
import { formatSpread, rounded, spreadOf, tableOf } from '../spread';
import { type Clip, DmcaWorker, makeClips, makeCompliantClip, makeFirstClip } from './dmca-worker';
import { callsByRun, mediaPrograms, type MediaPrograms, recordingPrograms, scriptOf } from './media-programs';

const SECONDS = 5;
const ROUNDS = 3;
/** The fixed cost of an item weighs less in a longer clip; reels last 15 s and more. */
const COMPLIANT_SECONDS = 20;
/** x264 with rate limits and several threads is not deterministic. */
const SAME_WITHIN = 0.1;

interface Stage {
  /** CPU milliseconds of the worker with its child processes, and of the database. */
  worker: number;
  database: number;
  /** Size of the result of each clip. */
  bytes: number[];
  /** Indexes of the clips in processing order. */
  order: number[];
}

/**
 * CPU time of the whole dmca stage in a worker that has processed a clip before, compared with a shell script that runs only the same
 * ffmpeg and ffprobe commands on the same clips.
 */
export async function dmca({ n, rounds }: BenchArguments): Promise<BenchResult> {
  const seconds = n ?? SECONDS;
  const turns = rounds ?? ROUNDS;
  const folder = temporaryFolder('bench-dmca');
  const postgres = await startPostgres();
  try {
    const programs = mediaPrograms();
    const clips = makeClips(folder, seconds, programs);
    progress(`${clips.length} clips of ${seconds} s; recording the commands of the stage`);
    const log = path.join(folder, 'calls');
    const first = makeFirstClip(folder, programs);
    const place = { folder, postgres, clips, first };
    const { order } = await runStage({ ...place, first: null, programs: recordingPrograms(folder, programs, log) });
    const recorded = callsByRun(fs.readFileSync(log, 'utf8'), path.join(folder, 'bare'));
    const runs = recorded.map((run, index) => ({ ...run, place: order[index] ?? -1 }));
    if (runs.length !== clips.length) throw new Error(`${runs.length} runs were recorded for ${clips.length} clips`);
    const calls = runs.reduce((sum, run) => sum + run.calls.length, 0);
    const stage: Stage[] = [];
    const bare: number[] = [];
    const compliant: number[] = [];
    const ready = makeCompliantClip(folder, COMPLIANT_SECONDS, programs);
    for (let round = 1; round <= turns; round += 1) {
      const made = await runStage({ ...place, programs });
      const cpu = await bareCommands(runs, made.bytes, clips);
      progress(`round ${round}: stage ${made.worker + made.database} CPU ms, bare commands ${cpu} CPU ms`);
      stage.push(made);
      bare.push(cpu);
      const copied = await runStage({ ...place, clips: [ready], programs });
      compliant.push((copied.worker + copied.database) / 1000 / COMPLIANT_SECONDS);
      progress(`a compliant clip of ${COMPLIANT_SECONDS} s: ${compliant.at(-1)?.toFixed(3)} CPU s per second`);
    }
    return resultOf({ stage, bare, compliant }, { clips: clips.length, secondsPerClip: seconds, rounds: turns, calls });
  } finally {
    await postgres.stop();
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

interface Measured {
  stage: readonly Stage[];
  bare: readonly number[];
  /** CPU seconds of the stage per second of a clip whose frames are copied. */
  compliant: readonly number[];
}

interface Setup {
  folder: string;
  postgres: BenchPostgres;
  clips: readonly Clip[];
  /** Processed before the measurement; none while commands are recorded. */
  first: Clip | null;
  programs: MediaPrograms;
}

/** Uses a new database and store, because the stage rejects content that it has seen before. */
async function runStage({ folder, postgres, clips, first, programs }: Setup): Promise<Stage> {
  const dataDir = fs.mkdtempSync(path.join(folder, 'data-'));
  const worker = await DmcaWorker.start(await postgres.freshDatabase('product'), dataDir, programs);
  try {
    if (first !== null) {
      await worker.request([first], 'first');
      await worker.finish([first], 'first');
    }
    const before = { worker: cpuOfTree(worker.pid), database: cpuOfTree(postgres.pid) };
    await worker.request(clips, 'clip');
    const bytes = await worker.finish(clips, 'clip');
    const after = { worker: cpuOfTree(worker.pid), database: cpuOfTree(postgres.pid) };
    return { worker: after.worker - before.worker, database: after.database - before.database, bytes, order: await worker.order('clip') };
  } finally {
    await worker.stop();
    fs.rmSync(dataDir, { recursive: true, force: true });
  }
}

interface BareRun {
  folder: string;
  calls: string[][];
  /** Index of its clip. */
  place: number;
}

/** Runs the same commands in the same order. Throws when the results differ, because the comparison would be invalid. */
async function bareCommands(runs: readonly BareRun[], bytes: readonly number[], clips: readonly Clip[]): Promise<number> {
  const scripts = runs.map(({ folder, calls, place }) => {
    fs.mkdirSync(folder, { recursive: true });
    fs.copyFileSync(clips[place]?.file ?? '', path.join(folder, 'original-0'));
    return scriptOf(calls);
  });
  const before = cpuOfReaped();
  const shell = spawn('sh', ['-c', scripts.join('\n')], { stdio: ['ignore', 'ignore', 'inherit'] });
  const [code] = (await once(shell, 'exit')) as [number | null];
  const cpu = cpuOfReaped() - before;
  if (code !== 0) throw new Error(`the bare commands exited with code ${code}`);
  for (const { folder, place } of runs) {
    const [ours, theirs] = [bytes[place] ?? 0, fs.statSync(path.join(folder, 'processed-0.mp4')).size];
    if (Math.abs(ours - theirs) > ours * SAME_WITHIN)
      throw new Error(`clip ${place}: the stage produced ${ours} bytes, the bare commands ${theirs}`);
  }
  for (const { folder } of runs) fs.rmSync(folder, { recursive: true, force: true });
  return cpu;
}

function resultOf({ stage, bare, compliant }: Measured, about: Record<string, unknown>): BenchResult {
  const worker = spreadOf(stage.map((one) => one.worker));
  const database = spreadOf(stage.map((one) => one.database));
  const total = spreadOf(stage.map((one) => one.worker + one.database));
  const commands = spreadOf(bare);
  const ratio = spreadOf(stage.map((one, index) => (one.worker + one.database) / (bare[index] ?? Number.NaN)));
  const perSecond = spreadOf(compliant);
  const table = tableOf([
    ['dmca stage', 'CPU ms'],
    ['the stage, all of it', formatSpread(total, 0)],
    ['  its worker with ffmpeg', formatSpread(worker, 0)],
    ['  the database', formatSpread(database, 0)],
    ['the bare commands', formatSpread(commands, 0)],
    ['ratio', formatSpread(ratio, 3)],
    ['compliant input, CPU s per second', formatSpread(perSecond, 3)],
  ]);
  const facts = {
    ...about,
    stageCpuMs: rounded(total, 0),
    workerCpuMs: rounded(worker, 0),
    databaseCpuMs: rounded(database, 0),
    bareCpuMs: rounded(commands, 0),
    ratio: rounded(ratio, 3),
    compliantCpuSecondsPerSecond: rounded(perSecond, 3),
    machine: aboutMachine(),
  };
  return { table, facts };
}
