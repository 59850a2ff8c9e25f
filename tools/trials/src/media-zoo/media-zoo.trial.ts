import { execFile, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { PipelineError } from '@autoposter/domain';
import { MediaTools } from '@autoposter/media-tools';
import { hevcPictureOf, temporaryFolder, writeHeic } from '@autoposter/testkit';
import { progress, SeededRandom, type TrialArguments, type TrialResult } from '../trial';
import { CANARY, canaryIn } from './canary';
import { mutate, writeBombs } from './hostile-files';
import { ODD_FILES, type OddFile } from './odd-files';

const run = promisify(execFile);

/** The memory of the worker's pod, and the part of it that a decoder may use. */
const POD_BYTES = 1536 * 2 ** 20;
const DECODER_BYTES = 1152 * 2 ** 20;
const MUTATIONS = { short: 60, full: 5000 };
/** Only every fifth mutated file is encoded, because that takes a second. */
const ENCODED_EACH = 5;
const EXPECTED = new Set(['unsupported_media', 'corrupt_media', 'too_large', 'integrity', 'transient']);

/**
 * Passes odd, hostile and damaged files to the product's media tools. Odd files must be converted correctly, by ffprobe and by pixel. All others must
 * end with a typed failure other than `internal`, or with an intact result, and leave neither process nor file. `--only odd`, `bombs` or `mutated`
 * runs one part.
 */
export async function mediaZoo({ n, seed, only, full }: TrialArguments): Promise<TrialResult> {
  const folder = temporaryFolder('media-zoo');
  const zoo = new Zoo(folder);
  const monitor = new ProcessMonitor(folder);
  try {
    const runs = (part: string): boolean => only === null || only === part;
    const odd = runs('odd') ? await zoo.odd() : 0;
    const bombs = runs('bombs') ? await zoo.bombs() : 0;
    const mutated = runs('mutated') ? await zoo.mutated(n ?? (full ? MUTATIONS.full : MUTATIONS.short), seed) : 0;
    const { peakBytes, left } = monitor.stop();
    if (left.length > 0) zoo.failures.push(`left processes: ${left.join(' | ')}`);
    if (peakBytes > POD_BYTES) zoo.failures.push(`this process and its decoders used ${Math.round(peakBytes / 2 ** 20)} MiB`);
    const facts = {
      odd,
      bombs,
      mutated,
      peakMiB: Math.round(peakBytes / 2 ** 20),
      outcomes: Object.fromEntries(zoo.outcomes),
      leftOut: zoo.leftOut,
    };
    return { n: odd + bombs + mutated, failures: zoo.failures, facts };
  } finally {
    monitor.stop();
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

class Zoo {
  readonly failures: string[] = [];
  readonly outcomes = new Map<string, number>();
  readonly leftOut: string[] = [];
  private readonly media = new MediaTools({ limits: { memoryBytes: DECODER_BYTES } });
  private readonly signal = new AbortController().signal;

  constructor(private readonly folder: string) {}

  async odd(): Promise<number> {
    const known = encoders();
    let count = 0;
    for (const entry of ODD_FILES) {
      if (entry.needs !== undefined && !known.includes(` ${entry.needs} `)) {
        this.leftOut.push(entry.name);
        continue;
      }
      count += 1;
      const problems = await this.problemsOf(entry, this.make(entry)).catch((error: unknown) => [failureText(error)]);
      progress(`${entry.name}: ${problems.length === 0 ? 'right' : problems.join('; ')}`);
      this.failures.push(...problems.map((problem) => `${entry.name}: ${problem}`));
    }
    return count;
  }

  async bombs(): Promise<number> {
    const canary = path.join(this.folder, 'canary.mp4');
    ffmpeg([...CANARY, canary]);
    const bombs = writeBombs(this.folder, canary);
    for (const { name, file, refused } of bombs) {
      const kinds = await this.attempt(name, file, true);
      progress(`${name}: ${kinds.join(', ')}`);
      if (refused !== undefined && !kinds.every((kind) => refused.includes(kind))) this.failures.push(`${name}: ${kinds.join(', ')}`);
      if (kinds.every((kind) => kind === 'none') && !HARMLESS.has(name)) this.failures.push(`${name}: accepted`);
    }
    return bombs.length;
  }

  async mutated(count: number, seed: number): Promise<number> {
    const random = new SeededRandom(seed);
    const sources = this.sources();
    for (let index = 0; index < count; index += 1) {
      const source = sources[index % sources.length] as Buffer;
      const other = sources[Math.floor(random.next() * sources.length)] as Buffer;
      const file = path.join(this.folder, 'mutated');
      fs.writeFileSync(file, mutate(source, other, random));
      await this.attempt(`mutated file ${index} of seed ${seed}`, file, index % ENCODED_EACH === 0);
      if (index % 100 === 99) progress(`${index + 1} mutated files`);
    }
    return count;
  }

  /** Every operation on one file; returns the kinds of failure. */
  private async attempt(name: string, file: string, encodes: boolean): Promise<string[]> {
    const before = new Set(fs.readdirSync(this.folder));
    const out = path.join(this.folder, 'out');
    const { media, signal } = this;
    const kinds: string[] = [];
    let kind: 'video' | 'image' = 'video';
    const take = async (work: Promise<unknown>): Promise<void> => {
      const failure = await failureOf(work);
      const said = failure === null ? 'none' : failure.kind;
      kinds.push(said);
      this.outcomes.set(said, (this.outcomes.get(said) ?? 0) + 1);
      if (failure !== null && !EXPECTED.has(said)) this.failures.push(`${name}: ${failure.text}`);
    };
    await take(media.probe(file, signal).then((info) => (kind = info.kind)));
    await take(media.assertComplete(file, signal));
    await take(
      media
        .extractFrames(file, { count: 1, maxPixels: 160 }, this.folder, signal)
        .then((frames) => Promise.all(frames.map((frame) => this.withoutCanary(name, frame)))),
    );
    await take(media.analyse(file, kind, signal, 'claimed'));
    if (encodes) {
      await take(kind === 'video' ? media.normaliseVideo(file, out, signal) : media.normaliseImage(file, out, signal));
      if (kinds.at(-1) === 'none') await this.withoutCanary(name, out);
    }
    const left = fs.readdirSync(this.folder).filter((entry) => !before.has(entry));
    if (left.length > 0) this.failures.push(`${name}: left ${left.join(', ')}`);
    for (const entry of left) fs.rmSync(path.join(this.folder, entry));
    return kinds;
  }

  /** Checks an output and removes it. */
  private async withoutCanary(name: string, file: string): Promise<void> {
    for (const part of await canaryIn(file)) this.failures.push(`${name}: the ${part} of another file is in the output`);
    fs.rmSync(file);
  }

  private make({ file, make, then, cutSeconds, rewrite }: OddFile): string {
    const made = path.join(this.folder, file);
    if (then === undefined) ffmpeg([...make, made]);
    else {
      const first = path.join(this.folder, `first-${file}`);
      ffmpeg([...make, first]);
      ffmpeg([...(cutSeconds === undefined ? [] : ['-ss', String(cutSeconds)]), '-i', first, ...then, made]);
    }
    if (rewrite !== undefined) fs.writeFileSync(made, rewrite(fs.readFileSync(made)));
    return made;
  }

  /** Differences of the normalised file from what is expected. */
  private async problemsOf({ expect }: OddFile, file: string): Promise<string[]> {
    const { media, signal } = this;
    const { kind } = await media.probe(file, signal);
    const out = `${file}.${kind === 'video' ? 'mp4' : 'jpg'}`;
    const problems: string[] = [];
    if (kind === 'video') {
      const { changes } = await media.normaliseVideo(file, out, signal);
      problems.push(...(await profileProblems(out, expect)));
      if (expect.copied !== undefined && changes.videoCopied !== expect.copied) problems.push(`videoCopied is ${changes.videoCopied}`);
      problems.push(...changeProblems(changes, expect));
      const combed = expect.combedFrames === undefined ? undefined : await combedFrames(out);
      if (combed !== expect.combedFrames) problems.push(`${combed} combed frames`);
    } else problems.push(...changeProblems((await media.normaliseImage(file, out, signal)).changes, expect));
    const { width, height } = await media.probe(out, signal);
    for (const { seconds, x, y, rgb, tolerance } of expect.pixels) {
      const got = await pixelAt(out, kind === 'video' ? seconds : 0, Math.floor(x * (width - 2)), Math.floor(y * (height - 2)));
      const distance = Math.max(...got.map((value, index) => Math.abs(value - (rgb[index] ?? 0))));
      if (distance > tolerance) problems.push(`${got.join()} instead of ${rgb.join()} at ${x}, ${y}, ${seconds} s`);
    }
    fs.rmSync(out);
    return problems;
  }

  /** Small valid files of every accepted kind. */
  private sources(): Buffer[] {
    const video = ['-f', 'lavfi', '-i', 'testsrc2=s=64x48:r=10:d=1', '-f', 'lavfi', '-i', 'sine=d=1'];
    const silent = ['-f', 'lavfi', '-i', 'testsrc2=s=64x48:r=10:d=1'];
    const h264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p'];
    const recipes: [string, string[]][] = [
      ['a.mp4', [...video, ...h264, '-movflags', '+faststart']],
      ['b.mp4', [...video, ...h264]],
      ['c.mp4', [...video, ...h264, '-movflags', '+frag_keyframe+empty_moov']],
      ['d.mov', [...video, ...h264]],
      ['e.webm', [...video, '-c:v', 'libvpx', '-c:a', 'libopus']],
      ['f.mkv', [...video, ...h264]],
      ['g.gif', silent],
      ['h.png', [...silent, '-f', 'apng']],
      ['i.png', [...silent, '-frames:v', '1']],
      ['j.jpg', [...silent, '-frames:v', '1']],
      ['k.webp', [...silent, '-frames:v', '1']],
    ];
    const made = recipes.map(([name, args]) => {
      const file = path.join(this.folder, name);
      ffmpeg([...args, file]);
      return fs.readFileSync(file);
    });
    return encoders().includes(' libx265 ') ? [...made, this.heic()] : made;
  }

  private heic(): Buffer {
    const frame = path.join(this.folder, 'l.mp4');
    const source = ['-f', 'lavfi', '-i', 'testsrc2=s=64x64:r=10:d=1', '-frames:v', '1'];
    ffmpeg([...source, '-c:v', 'libx265', '-tag:v', 'hvc1', '-pix_fmt', 'yuv420p', frame]);
    const tile = hevcPictureOf(fs.readFileSync(frame));
    return writeHeic({ tiles: [tile, tile], tile: { width: 64, height: 64 }, grid: { columns: 2, width: 120, height: 60 } });
  }
}

const encoders = (): string => spawnSync('ffmpeg', ['-v', 'error', '-encoders'], { encoding: 'utf8' }).stdout;

/** Unusual but harmless files, which may be accepted. */
const HARMLESS = new Set(['10,000 frames per second', 'pixels 250 times as wide as high']);

async function failureOf(work: Promise<unknown>): Promise<{ kind: string; text: string } | null> {
  try {
    await work;
    return null;
  } catch (error) {
    if (!(error instanceof PipelineError)) return { kind: 'untyped', text: failureText(error) };
    const { kind, code, message, detail } = error.failure;
    return { kind, text: `${kind} ${code ?? ''}: ${message} ${JSON.stringify(detail ?? {})}` };
  }
}

const failureText = (error: unknown): string => (error instanceof Error ? (error.stack ?? error.message) : String(error)).slice(0, 600);

function changeProblems(changes: object, expect: OddFile['expect']): string[] {
  return Object.entries(expect.changes ?? {}).flatMap(([name, value]) => {
    const got = (changes as Record<string, unknown>)[name];
    const isRight = typeof value === 'number' ? Math.abs(Number(got) - value) <= 0.1 : got === value;
    return isRight ? [] : [`${name} is ${String(got)}`];
  });
}

async function profileProblems(file: string, { seconds, rate }: OddFile['expect']): Promise<string[]> {
  const { stdout } = await run('ffprobe', ['-v', 'error', '-show_streams', '-show_format', '-of', 'json', file]);
  const { streams } = JSON.parse(stdout) as { streams: Record<string, unknown>[] };
  const [video, audio] = ['video', 'audio'].map((kind) => streams.find((stream) => stream['codec_type'] === kind));
  const problems: string[] = [];
  const expect = (what: string, got: unknown, wanted: unknown): void => void (got === wanted || problems.push(`${what} is ${String(got)}`));
  expect('codec', video?.['codec_name'], 'h264');
  expect('pixel format', video?.['pix_fmt'], 'yuv420p');
  expect('pixel ratio', video?.['sample_aspect_ratio'] ?? '1:1', '1:1');
  expect('sound', audio?.['codec_name'], 'aac');
  expect('channels', Number(audio?.['channels']) <= 2, true);
  if (rate !== undefined) expect('frame rate', video?.['avg_frame_rate'], rate);
  if (seconds !== undefined && Math.abs(Number(video?.['duration']) - seconds) > 0.25)
    problems.push(`lasts ${String(video?.['duration'])} s`);
  if (Math.abs(Number(video?.['start_time'])) > 0.05) problems.push(`starts at ${String(video?.['start_time'])} s`);
  return problems;
}

async function combedFrames(file: string): Promise<number> {
  const { stderr } = await run('ffmpeg', ['-hide_banner', '-nostats', '-i', file, '-vf', 'idet', '-an', '-f', 'null', '-']);
  const [, top, bottom] = /Multi frame detection: TFF:\s*(\d+) BFF:\s*(\d+)/.exec(stderr) ?? [];
  return Number(top) + Number(bottom);
}

async function pixelAt(file: string, seconds: number, x: number, y: number): Promise<number[]> {
  const isPicture = file.endsWith('.jpg');
  const convert = isPicture ? 'format=rgb24' : 'scale=in_color_matrix=bt709:in_range=tv,format=rgb24';
  const seek = isPicture ? [] : ['-ss', String(seconds)];
  const filters = `crop=2:2:${x}:${y}:exact=1,${convert}`;
  const args = ['-v', 'error', ...seek, '-i', file, '-frames:v', '1', '-vf', filters, '-f', 'rawvideo', '-'];
  const { stdout } = await run('ffmpeg', args, { encoding: 'buffer' });
  return [...stdout.subarray(0, 3)];
}

function ffmpeg(args: readonly string[]): void {
  const { status, stderr } = spawnSync('ffmpeg', ['-hide_banner', '-v', 'error', '-nostdin', '-y', ...args], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`a file could not be generated: ${stderr}`);
}

interface ProcessRow {
  pid: number;
  parent: number;
  residentBytes: number;
  commandLine: string;
}

const SAMPLE_MS = 50;

/** Measures the memory of this process with all its descendants, and finds processes that work on files of one folder (Linux). */
class ProcessMonitor {
  private peakBytes = 0;
  private readonly timer = setInterval(() => this.sample(), SAMPLE_MS);

  constructor(private readonly folder: string) {}

  stop(): { peakBytes: number; left: string[] } {
    clearInterval(this.timer);
    const left = processes().filter(({ pid, commandLine }) => pid !== process.pid && commandLine.includes(this.folder));
    return { peakBytes: this.peakBytes, left: left.map(({ commandLine }) => commandLine.slice(0, 200)) };
  }

  private sample(): void {
    const all = processes();
    const children = new Map<number, ProcessRow[]>();
    for (const row of all) children.set(row.parent, [...(children.get(row.parent) ?? []), row]);
    const sum = (pid: number): number => (children.get(pid) ?? []).reduce((total, row) => total + row.residentBytes + sum(row.pid), 0);
    this.peakBytes = Math.max(this.peakBytes, process.memoryUsage.rss() + sum(process.pid));
  }
}

function processes(): ProcessRow[] {
  return fs
    .readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const status = fs.readFileSync(`/proc/${name}/status`, 'utf8');
        const field = (label: string): number => Number(new RegExp(`^${label}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? 0);
        const commandLine = fs.readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ');
        return [{ pid: Number(name), parent: field('PPid'), residentBytes: field('VmRSS') * 1024, commandLine }];
      } catch {
        // the process has ended
        return [];
      }
    });
}
