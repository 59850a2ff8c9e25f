import { spawn } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { access, mkdir, rename, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { hashNumber, stablePick } from '../server/stable-random';
import { paintPicture } from './painter';
import type { SceneName } from './scenes';

export interface VideoRecipe {
  scene: SceneName;
  seed: string;
  width: number;
  height: number;
  fps: number;
  seconds: number;
  sound: boolean;
  /** `truncated`: the file ends in the middle; `garbage`: the name says video, the bytes do not. */
  damage?: 'truncated' | 'garbage';
}

export interface PictureRecipe {
  scene: SceneName;
  seed: string;
  width: number;
  height: number;
  format: PictureFormat;
}

export type PictureFormat = 'jpeg' | 'png' | 'webp' | 'gif';

export const PICTURE_TYPES: Readonly<Record<PictureFormat, string>> = {
  jpeg: 'image/jpeg',
  png: 'image/png',
  webp: 'image/webp',
  gif: 'image/gif',
};

/** Raised when a recipe would come out differently, so that an old cache is not served. */
const CACHE_VERSION = 2;

/** How far the painting reaches over the frame, so that the camera has room to move. */
const ROOM = 1.28;

/** Films are painted with this many points on the shorter side and scaled up: painting is the dear part and holds up everything else. */
const CANVAS_SIDE = 420;

/**
 * Makes the files that the simulated hosts serve: paints a picture, lets ffmpeg move a camera over it. A file is made when it is
 * first asked for and kept in the folder; asking twice at once makes it once.
 */
export class MediaGenerator {
  private readonly inProgress = new Map<string, Promise<string>>();
  /** Two ffmpeg at a time: the machine has other work. */
  private slots = 2;
  private readonly waiting: (() => void)[] = [];

  constructor(
    private readonly folder: string,
    private readonly ffmpegPath: string,
  ) {}

  /** MP4 with picture only; `height` scales it down (a rung of the ladder). */
  videoTrack(recipe: VideoRecipe, height = recipe.height): Promise<string> {
    return this.make('mp4', { kind: 'video', recipe, height }, async (out) => {
      if (recipe.damage === 'garbage') return writeFile(out, `not a video at all: ${recipe.seed}\n`.repeat(3_000));
      await this.film(recipe, height, out);
      if (recipe.damage === 'truncated') await truncate(out, Math.floor((await stat(out)).size * 0.55));
    });
  }

  /** MP4 with sound only. */
  soundTrack(recipe: VideoRecipe, kilobits: number): Promise<string> {
    const root = 110 * 2 ** ((hashNumber(recipe.seed) % 12) / 12);
    const chord = [1, 1.25, 1.5, 2].map((step, index) => `0.16*sin(${(root * step).toFixed(2)}*2*PI*t)*(0.6+0.4*sin(${index + 1}*PI*t/2))`);
    const source = `aevalsrc=${chord.join('+')}|${chord.reverse().join('+')}:s=48000:d=${recipe.seconds}`;
    return this.make('mp4', { kind: 'sound', seed: recipe.seed, seconds: recipe.seconds, kilobits }, (out) =>
      this.ffmpeg(['-f', 'lavfi', '-i', source, '-c:a', 'aac', '-b:a', `${kilobits}k`, '-movflags', '+faststart', '-f', 'mp4', out]),
    );
  }

  /** Picture and sound in one MP4, as a finished upload has them. */
  muxed(recipe: VideoRecipe): Promise<string> {
    return this.make('mp4', { kind: 'muxed', recipe }, async (out) => {
      const inputs = ['-i', await this.videoTrack(recipe), ...(recipe.sound ? ['-i', await this.soundTrack(recipe, 128)] : [])];
      await this.ffmpeg([...inputs, '-c', 'copy', '-movflags', '+faststart', '-use_editlist', '0', '-f', 'mp4', out]);
    });
  }

  picture(recipe: PictureRecipe): Promise<string> {
    return this.make(recipe.format, { kind: 'picture', recipe }, (out) => {
      if (recipe.format === 'gif') return this.animate(recipe, ['-f', 'gif', out]);
      const encoders = {
        jpeg: ['-c:v', 'mjpeg', '-q:v', '3', '-f', 'mjpeg'],
        png: ['-c:v', 'png', '-f', 'image2'],
        webp: ['-c:v', 'libwebp', '-f', 'webp'],
      };
      const single = recipe.format === 'png' ? ['-update', '1'] : [];
      return this.ffmpeg(
        [...rawInput(recipe.width, recipe.height), '-frames:v', '1', ...encoders[recipe.format], ...single, out],
        paint(recipe),
      );
    });
  }

  /** The MP4 rendition of an animated picture. */
  pictureAsVideo(recipe: PictureRecipe): Promise<string> {
    return this.make('mp4', { kind: 'animation', recipe }, (out) =>
      this.animate(recipe, ['-pix_fmt', 'yuv420p', '-preset', 'ultrafast', '-movflags', '+faststart', '-f', 'mp4', out]),
    );
  }

  private animate(recipe: PictureRecipe, output: readonly string[]): Promise<void> {
    const filter = `loop=loop=-1:size=1:start=0,setpts=N/12/TB,scroll=horizontal=0.03:vertical=0.01`;
    const args = [...rawInput(recipe.width, recipe.height), '-vf', filter, '-t', '3', '-r', '12', ...output];
    return this.ffmpeg(args, paint(recipe));
  }

  private async film(recipe: VideoRecipe, height: number, out: string): Promise<void> {
    const width = even((recipe.width * height) / recipe.height);
    const share = Math.min(1, CANVAS_SIDE / Math.min(width, height)) * ROOM;
    const canvas = { width: even(width * share), height: even(height * share) };
    const filter = [
      `scale=${even(width * ROOM)}:${even(height * ROOM)}:flags=bilinear,format=yuv420p`,
      'loop=loop=-1:size=1:start=0',
      `setpts=N/${recipe.fps}/TB`,
      stablePick(`${recipe.seed} camera`, CAMERAS)(recipe.seconds),
      `crop=${width}:${height}:x='${PATHS.x(recipe.seconds)}':y='${PATHS.y(recipe.seconds)}'`,
    ];
    const encoder = ['-c:v', 'libx264', '-preset', 'ultrafast', '-crf', '29', '-g', String(recipe.fps * 2), '-threads', '2'];
    await this.ffmpeg(
      [
        ...rawInput(canvas.width, canvas.height),
        ...['-vf', filter.filter((part) => part !== '').join(','), '-r', String(recipe.fps), '-t', String(recipe.seconds)],
        ...encoder,
        ...['-an', '-movflags', '+faststart', '-f', 'mp4', out],
      ],
      paintPicture(recipe.scene, recipe.seed, canvas.width, canvas.height),
    );
  }

  private async ffmpeg(args: readonly string[], input?: Buffer): Promise<void> {
    while (this.slots === 0) await new Promise<void>((resolve) => this.waiting.push(resolve));
    this.slots -= 1;
    try {
      await runTool(this.ffmpegPath, ['-hide_banner', '-loglevel', 'error', '-nostdin', '-y', ...args], input);
    } finally {
      this.slots += 1;
      this.waiting.shift()?.();
    }
  }

  private make(extension: string, key: unknown, write: (out: string) => Promise<unknown>): Promise<string> {
    const name = createHash('sha256')
      .update(`${CACHE_VERSION} ${JSON.stringify(key)}`)
      .digest('hex')
      .slice(0, 24);
    const path = join(this.folder, `${name}.${extension}`);
    const running = this.inProgress.get(path) ?? this.writeOnce(path, write);
    this.inProgress.set(path, running);
    return running.finally(() => this.inProgress.delete(path));
  }

  private async writeOnce(path: string, write: (out: string) => Promise<unknown>): Promise<string> {
    if (await exists(path)) return path;
    await mkdir(this.folder, { recursive: true });
    const draft = `${path}.${randomUUID().slice(0, 8)}.part`;
    try {
      await write(draft);
      await rename(draft, path);
    } finally {
      await rm(draft, { force: true });
    }
    return path;
  }
}

/** What the camera sees besides its way over the painting. */
const CAMERAS: readonly ((seconds: number) => string)[] = [
  () => '',
  () => 'scroll=horizontal=0.0018',
  () => 'scroll=vertical=0.0015',
  (seconds) => `hue=h='24*sin(2*PI*t/${seconds})'`,
  () => 'scroll=horizontal=0.0012:vertical=-0.0010',
];

const PATHS = {
  x: (seconds: number) => `(iw-ow)*(0.5+0.45*sin(2*PI*t/${seconds}))`,
  y: (seconds: number) => `(ih-oh)*(0.5+0.45*cos(2*PI*t/${seconds}))`,
};

function rawInput(width: number, height: number): string[] {
  return ['-f', 'rawvideo', '-pix_fmt', 'rgb24', '-s', `${width}x${height}`, '-i', 'pipe:0'];
}

function paint(recipe: PictureRecipe): Buffer {
  return paintPicture(recipe.scene, recipe.seed, recipe.width, recipe.height);
}

function even(value: number): number {
  return Math.max(2, Math.round(value / 2) * 2);
}

function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

/** Runs a tool to its end and returns what it printed; rejects with the last lines of its errors. */
export function runTool(tool: string, args: readonly string[], input?: Buffer): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(tool, args, { stdio: ['pipe', 'pipe', 'pipe'] });
    let printed = '';
    let complaints = '';
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => (printed += chunk));
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => (complaints = (complaints + chunk).slice(-2_000)));
    // A tool that ends before it has read everything is judged by its exit code, not by the broken pipe.
    child.stdin.on('error', () => undefined);
    child.once('error', reject);
    child.once('close', (code) => (code === 0 ? resolve(printed) : reject(new Error(`${tool} ended with ${code}: ${complaints}`))));
    child.stdin.end(input);
  });
}
