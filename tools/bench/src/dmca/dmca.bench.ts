import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { readProcessSettings } from '@autoposter/config';
import { tell, type BenchArguments, type BenchResult } from '../bench';
import { aboutMachine } from '../machine/about';
import { cpuOfReaped, cpuOfTree } from '../machine/cpu-time';
import { startPostgres, type BenchPostgres } from '../machine/postgres';
import { inWords, rounded, spreadOf, tableOf } from '../spread';
import { makeClips, type Clip } from './clips';
import { DmcaWorker } from './dmca-worker';
import { callsByRun, mediaPrograms, recordingPrograms, scriptOf, type MediaPrograms } from './media-programs';

const SECONDS = 5;
const ROUNDS = 3;
/** With a limit on the rate and more than one thread x264 does not make the same bytes twice. */
const SAME_WITHIN = 0.1;

interface Stage {
  /** CPU milliseconds of the worker with all that it started, and of the database. */
  worker: number;
  database: number;
  /** Of what was made of each clip. */
  bytes: number[];
  /** Places of the clips in the order in which they were worked on. */
  order: number[];
}

/** CPU time of the whole dmca stage, beside a shell that makes the same calls of ffmpeg and ffprobe on the same clips and nothing else. */
export async function dmca({ n, rounds }: BenchArguments): Promise<BenchResult> {
  const seconds = n ?? SECONDS;
  const turns = rounds ?? ROUNDS;
  const folder = fs.mkdtempSync(path.join(readProcessSettings().temporaryFolder, 'autoposter-bench-dmca-'));
  const postgres = await startPostgres();
  try {
    const programs = mediaPrograms();
    const clips = makeClips(folder, seconds, programs);
    tell(`${clips.length} clips of ${seconds} s; writing down how the stage calls its programs`);
    const log = path.join(folder, 'calls');
    const place = { folder, postgres, clips };
    const { order } = await throughStage({ ...place, programs: recordingPrograms(folder, programs, log) });
    const recorded = callsByRun(fs.readFileSync(log, 'utf8'), path.join(folder, 'bare'));
    const runs = recorded.map((run, index) => ({ ...run, place: order[index] ?? -1 }));
    if (runs.length !== clips.length) throw new Error(`${runs.length} runs were written down for ${clips.length} clips`);
    const calls = runs.reduce((sum, run) => sum + run.calls.length, 0);
    const stage: Stage[] = [];
    const bare: number[] = [];
    for (let round = 1; round <= turns; round += 1) {
      const made = await throughStage({ ...place, programs });
      const cpu = await bareCommands(runs, made.bytes, clips);
      tell(`round ${round}: stage ${made.worker + made.database} CPU ms, bare commands ${cpu} CPU ms`);
      stage.push(made);
      bare.push(cpu);
    }
    return resultOf(stage, bare, { clips: clips.length, secondsPerClip: seconds, rounds: turns, calls });
  } finally {
    await postgres.stop();
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

interface Place {
  folder: string;
  postgres: BenchPostgres;
  clips: readonly Clip[];
  programs: MediaPrograms;
}

/** In a database and a store of its own: what was there before would be refused as already there. */
async function throughStage({ folder, postgres, clips, programs }: Place): Promise<Stage> {
  const dataDir = fs.mkdtempSync(path.join(folder, 'data-'));
  const worker = await DmcaWorker.start(await postgres.freshDatabase('product'), dataDir, programs);
  try {
    const before = { worker: cpuOfTree(worker.pid), database: cpuOfTree(postgres.pid) };
    await worker.ask(clips);
    const bytes = await worker.through(clips);
    const after = { worker: cpuOfTree(worker.pid), database: cpuOfTree(postgres.pid) };
    return { worker: after.worker - before.worker, database: after.database - before.database, bytes, order: await worker.order() };
  } finally {
    await worker.stop();
    fs.rmSync(dataDir, { recursive: true, force: true });
  }
}

interface BareRun {
  folder: string;
  calls: string[][];
  /** Place of its clip. */
  place: number;
}

/** The same calls in the same order by a shell. They have to make the same, else the comparison says nothing. */
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
  if (code !== 0) throw new Error(`the bare commands ended with code ${code}`);
  for (const { folder, place } of runs) {
    const [ours, theirs] = [bytes[place] ?? 0, fs.statSync(path.join(folder, 'processed-0.mp4')).size];
    if (Math.abs(ours - theirs) > ours * SAME_WITHIN)
      throw new Error(`of clip ${place} the stage made ${ours} bytes, the bare commands ${theirs}`);
  }
  for (const { folder } of runs) fs.rmSync(folder, { recursive: true, force: true });
  return cpu;
}

function resultOf(stage: readonly Stage[], bare: readonly number[], about: Record<string, unknown>): BenchResult {
  const worker = spreadOf(stage.map((one) => one.worker));
  const database = spreadOf(stage.map((one) => one.database));
  const total = spreadOf(stage.map((one) => one.worker + one.database));
  const commands = spreadOf(bare);
  const ratio = spreadOf(stage.map((one, index) => (one.worker + one.database) / (bare[index] ?? Number.NaN)));
  const table = tableOf([
    ['dmca stage', 'CPU ms'],
    ['the stage, all of it', inWords(total, 0)],
    ['  its worker with ffmpeg', inWords(worker, 0)],
    ['  the database', inWords(database, 0)],
    ['the bare commands', inWords(commands, 0)],
    ['ratio', inWords(ratio, 3)],
  ]);
  const facts = {
    ...about,
    stageCpuMs: rounded(total, 0),
    workerCpuMs: rounded(worker, 0),
    databaseCpuMs: rounded(database, 0),
    bareCpuMs: rounded(commands, 0),
    ratio: rounded(ratio, 3),
    machine: aboutMachine(),
  };
  return { table, facts };
}
