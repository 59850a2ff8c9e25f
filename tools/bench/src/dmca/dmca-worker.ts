import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { requestStage } from '@autoposter/job-engine';
import { LocalStore } from '@autoposter/object-store';
import { BULK_LIMITS, Database } from '@autoposter/persistence';
import { anItem, fileFields, pollUntil } from '@autoposter/testkit';
import { ROOT } from '../bench';
import type { MediaPrograms } from './media-programs';

export interface Clip {
  name: string;
  file: string;
  width: number;
  height: number;
  hasAudio: boolean;
}

type Recipe = Omit<Clip, 'file'> & { picture: string };

/** Visually different clips (duplicates would be rejected), with noise like camera footage, at the bit rate at which videos are posted. */
const recipe = (name: string, picture: string, width: number, height: number, hasAudio: boolean): Recipe => ({
  name,
  picture,
  width,
  height,
  hasAudio,
});
const RECIPES: readonly Recipe[] = [
  recipe('portrait', 'testsrc2=size=1080x1920:rate=30', 1080, 1920, true),
  recipe('landscape', 'mandelbrot=size=1280x720:rate=30:start_scale=0.3', 1280, 720, true),
  recipe('square and silent', 'life=size=180x180:rate=30:mold=10:random_seed=7:ratio=0.2', 720, 720, false),
];

/** At most 8 Mbit/s, the usual rate of a video of 1080p. */
const AS_POSTED = ['-maxrate', '8M', '-bufsize', '16M'];

/** Matches the Reels profile, so that its frames are copied: moderate bit rate, groups of 2 s, sound at -14 LUFS. */
const READY = recipe('compliant', 'mandelbrot=size=720x1280:rate=30:start_scale=0.2', 720, 1280, true);

/** Processed before the measured clips, so that loading and compiling the code is not measured. */
const FIRST = recipe('first', 'sierpinski=size=720x1280:rate=30:seed=3', 720, 1280, true);
const FIRST_SECONDS = 3;

export const makeFirstClip = (folder: string, programs: MediaPrograms): Clip => makeClip(folder, FIRST, FIRST_SECONDS, programs);

export function makeCompliantClip(folder: string, seconds: number, { ffmpeg }: MediaPrograms): Clip {
  const file = path.join(folder, 'compliant.mp4');
  const sound = ['-f', 'lavfi', '-i', 'aevalsrc=0.35*sin(2*PI*997*t):s=48000', '-c:a', 'aac', '-ac', '2', '-shortest'];
  const video = ['-pix_fmt', 'yuv420p', '-c:v', 'libx264', '-preset', 'veryfast', '-g', '60', '-flags', '+cgop', ...AS_POSTED];
  generate(ffmpeg, READY.name, ['-f', 'lavfi', '-i', READY.picture, ...sound, ...video, '-t', String(seconds), file]);
  return { ...READY, file };
}

function generate(ffmpeg: string, name: string, args: string[]): void {
  const { status, stderr } = spawnSync(ffmpeg, ['-v', 'error', '-y', ...args], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`the clip "${name}" could not be generated: ${stderr}`);
}

/** Generates deterministic clips of `seconds` each. */
export const makeClips = (folder: string, seconds: number, programs: MediaPrograms): Clip[] =>
  RECIPES.map((one) => makeClip(folder, one, seconds, programs));

function makeClip(folder: string, { name, picture, width, height, hasAudio }: Recipe, seconds: number, { ffmpeg }: MediaPrograms): Clip {
  const file = path.join(folder, `${name.replaceAll(' ', '-')}.mp4`);
  const sound = hasAudio ? ['-f', 'lavfi', '-i', `sine=frequency=${width}:sample_rate=44100`, '-c:a', 'aac', '-shortest'] : [];
  const filters = `scale=${width}:${height},noise=alls=12:allf=t:all_seed=${width},format=yuv420p`;
  const video = ['-vf', filters, '-c:v', 'libx264', '-preset', 'veryfast', ...AS_POSTED];
  generate(ffmpeg, name, ['-f', 'lavfi', '-i', picture, ...sound, ...video, '-t', String(seconds), file]);
  return { name, file, width, height, hasAudio };
}

const WORKER = 'dist/apps/dmca-worker/main.cjs';
const UP_WITHIN_MS = 120_000;
const CLIPS_WITHIN_MS = 1_800_000;

/** The product's dmca worker as a separate process. */
export class DmcaWorker {
  private readonly kill = (): void => void this.child.kill('SIGKILL');

  private constructor(
    private readonly child: ChildProcess,
    private readonly database: Database,
    private readonly dataDir: string,
    private readonly output: () => string,
  ) {
    process.on('exit', this.kill);
  }

  static async start(databaseUrl: string, dataDir: string, { ffmpeg, ffprobe }: MediaPrograms): Promise<DmcaWorker> {
    const settings = {
      DATABASE_URL: databaseUrl,
      DATA_DIR: dataDir,
      EVENT_BUS: 'postgres',
      OBJECT_STORE: 'local',
      LOG_LEVEL: 'warn',
      HOST: '127.0.0.1',
      METRICS_PORT: '0',
      FFMPEG_PATH: ffmpeg,
      FFPROBE_PATH: ffprobe,
    };
    // `env` replaces itself by the worker and keeps all other variables.
    const variables = Object.entries(settings).map(([name, value]) => `${name}=${value}`);
    const child = spawn('env', [...variables, process.execPath, path.join(ROOT, WORKER)], { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (chunk: Buffer) => (output = (output + chunk.toString()).slice(-4000)));
    const database = await Database.connect({ url: databaseUrl, poolSize: 2, limits: BULK_LIMITS });
    const worker = new DmcaWorker(child, database, dataDir, () => output);
    // The check of the media tools at start is not part of the stage.
    const report = `SELECT 1 FROM worker_reports WHERE name = 'media-tools'`;
    await worker.waitUntil(UP_WITHIN_MS, async () => (await database.sql.query(report)).length > 0);
    return worker;
  }

  get pid(): number {
    return this.child.pid ?? 0;
  }

  /** Stores the clips and requests the stage for each. `batch` is a prefix that is unique to this call. */
  async request(clips: readonly Clip[], batch: string): Promise<void> {
    const store = new LocalStore({ folder: path.join(this.dataDir, 'objects') });
    for (const [index, clip] of clips.entries()) {
      const { key, bytes, sha256 } = await store.put('originals', fs.createReadStream(clip.file), 'video/mp4', 'mp4');
      await this.database.unitOfWork(async (uow) => {
        const sourceId = `${batch}${index}`;
        const item = await anItem(uow, { sourceId, autoProcessStage: 'aiCaption', state: 'protecting' });
        const { width, height, hasAudio } = clip;
        const file = { objectKey: key, fileName: path.basename(key), bytes, sha256, width, height, hasAudio, durationSeconds: null };
        await uow.media.replace(item.id, 'original', [fileFields(file)]);
        await requestStage(uow, { stage: 'dmca', subjectId: item.id, itemId: item.id, key: item.id, actor: 'system' });
      });
    }
  }

  /** Waits for all clips of the batch and returns the size of each result; throws when a clip was not cleared. */
  async finish(clips: readonly Clip[], batch: string): Promise<number[]> {
    await this.waitUntil(CLIPS_WITHIN_MS, async () => {
      const states = await this.database.read.items.countByState();
      return (states.protecting ?? 0) === 0;
    });
    const rows = await this.database.sql.query<{ state: string; bytes: string | null }>(
      `SELECT i.state, m.bytes FROM content_items i LEFT JOIN media_files m ON m.item_id = i.id AND m.role = 'processed'
       WHERE i.source_id LIKE $1 ORDER BY i.source_id`,
      [`${batch}%`],
    );
    const wrong = rows.filter(({ state, bytes }) => state !== 'protected' || bytes === null);
    if (rows.length !== clips.length || wrong.length > 0)
      throw new Error(`unexpected results ${JSON.stringify(rows)} of the clips\n${this.output()}`);
    return rows.map(({ bytes }) => Number(bytes));
  }

  /** Indexes of the clips of the batch in processing order. */
  async order(batch: string): Promise<number[]> {
    const rows = await this.database.sql.query<{ source_id: string }>(
      'SELECT i.source_id FROM stage_jobs j JOIN content_items i ON i.id = j.item_id WHERE i.source_id LIKE $1 ORDER BY j.started_at',
      [`${batch}%`],
    );
    return rows.map(({ source_id }) => Number(source_id.replace(batch, '')));
  }

  async stop(): Promise<void> {
    await this.database.close();
    process.off('exit', this.kill);
    const exited = once(this.child, 'exit');
    this.child.kill('SIGTERM');
    await exited;
  }

  private async waitUntil(withinMs: number, isDone: () => Promise<boolean>): Promise<void> {
    const ended = async (): Promise<boolean> => this.child.exitCode !== null || (await isDone());
    // a long interval, because each poll costs the database CPU time
    await pollUntil(ended, withinMs, undefined, 1_000).catch(() => undefined);
    if (this.child.exitCode !== null || !(await isDone())) throw new Error(`the worker timed out or exited:\n${this.output()}`);
  }
}
