import { execFile } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, rename, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { hashNumber, stablePick } from '../server/stable-random';
import { type SceneName, sceneSource } from './scenes';

export interface VideoRecipe {
  scene: SceneName;
  seed: string;
  width: number;
  height: number;
  fps: number;
  seconds: number;
  sound: boolean;
  /** `truncated`: the file is cut off; `garbage`: the file is not a video. */
  damage?: 'truncated' | 'garbage';
}

export interface PictureRecipe {
  scene: SceneName;
  seed: string;
  width: number;
  height: number;
  format: PictureFormat;
}

type PictureFormat = 'jpeg' | 'png' | 'webp' | 'gif';

export const PICTURE_TYPES: Readonly<Record<PictureFormat, string>> = {
  jpeg: 'image/jpeg',
  png: 'image/png',
  webp: 'image/webp',
  gif: 'image/gif',
};

/** Part of every cache key; increment it when the output for a recipe changes. */
const CACHE_VERSION = 4;

/** Size of a video's source picture relative to its frame, so that the crop window can move. */
const OVERSCAN = 1.28;

/** Maximum pixels of the shorter side at which scenes are drawn before scaling up: drawing dominates the CPU time. */
const CANVAS_SIDE = 300;

/**
 * Generates the pictures, videos and sound tracks of the simulated hosts with ffmpeg. Files are generated on first use and cached in
 * `folder`; concurrent requests for the same file share one run.
 */
export class MediaGenerator {
  private readonly inProgress = new Map<string, Promise<string>>();
  /** At most two ffmpeg processes, because the product needs the CPU as well. */
  private slots = 2;
  private readonly waiting: (() => void)[] = [];

  constructor(
    private readonly folder: string,
    private readonly ffmpegPath: string,
  ) {}

  /** MP4 without sound, scaled to `height`. */
  videoTrack(recipe: VideoRecipe, height = recipe.height): Promise<string> {
    return this.make('mp4', { kind: 'video', recipe, height }, async (out) => {
      if (recipe.damage === 'garbage') return writeFile(out, `not a video at all: ${recipe.seed}\n`.repeat(3_000));
      await this.film(recipe, height, out);
      if (recipe.damage === 'truncated') await truncate(out, Math.floor((await stat(out)).size * 0.55));
    });
  }

  /** MP4 with a sound track only. */
  soundTrack(recipe: VideoRecipe, kilobits: number): Promise<string> {
    const root = 110 * 2 ** ((hashNumber(recipe.seed) % 12) / 12);
    const chord = [1, 1.25, 1.5, 2].map((step, index) => `0.16*sin(${(root * step).toFixed(2)}*2*PI*t)*(0.6+0.4*sin(${index + 1}*PI*t/2))`);
    const source = `aevalsrc=${chord.join('+')}|${chord.reverse().join('+')}:s=48000:d=${recipe.seconds}`;
    return this.make('mp4', { kind: 'sound', seed: recipe.seed, seconds: recipe.seconds, kilobits }, (out) =>
      this.ffmpeg(['-f', 'lavfi', '-i', source, '-c:a', 'aac', '-b:a', `${kilobits}k`, '-movflags', '+faststart', '-f', 'mp4', out]),
    );
  }

  /** Video and sound in one MP4, as published on Instagram. */
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
        jpeg: ['-c:v', 'mjpeg', '-q:v', '3', '-pix_fmt', 'yuvj420p', '-f', 'mjpeg'],
        png: ['-c:v', 'png', '-update', '1', '-f', 'image2'],
        webp: ['-c:v', 'libwebp', '-f', 'webp'],
      };
      return this.ffmpeg([...canvas(recipe, recipe.width, recipe.height), '-frames:v', '1', ...encoders[recipe.format], out]);
    });
  }

  /** The MP4 rendition of an animated picture. */
  pictureAsVideo(recipe: PictureRecipe): Promise<string> {
    return this.make('mp4', { kind: 'animation', recipe }, (out) =>
      this.animate(recipe, ['-pix_fmt', 'yuv420p', '-preset', 'ultrafast', '-movflags', '+faststart', '-f', 'mp4', out]),
    );
  }

  private animate(recipe: PictureRecipe, output: readonly string[]): Promise<void> {
    const source = canvas(recipe, recipe.width, recipe.height, `${STILL},setpts=N/12/TB,scroll=horizontal=0.03:vertical=0.01`);
    return this.ffmpeg([...source, '-t', '3', '-r', '12', ...output]);
  }

  private film(recipe: VideoRecipe, height: number, out: string): Promise<void> {
    const width = even((recipe.width * height) / recipe.height);
    const camera = [
      `format=yuv420p,${STILL},setpts=N/${recipe.fps}/TB`,
      ...stablePick(`${recipe.seed} camera`, CAMERAS)(recipe.seconds),
      `crop=${width}:${height}:x='(iw-ow)*(0.5+0.45*sin(2*PI*t/${recipe.seconds}))':y='(ih-oh)*(0.5+0.45*cos(2*PI*t/${recipe.seconds}))'`,
    ];
    return this.ffmpeg([
      ...canvas(recipe, even(width * OVERSCAN), even(height * OVERSCAN), camera.join(',')),
      // a number of frames, because a limit of time ends a generated video early
      ...['-r', String(recipe.fps), '-frames:v', String(Math.round(recipe.fps * recipe.seconds))],
      ...['-c:v', 'libx264', '-preset', 'ultrafast', '-crf', '29', '-g', String(recipe.fps * 2), '-threads', '2'],
      ...['-an', '-movflags', '+faststart', '-f', 'mp4', out],
    ]);
  }

  private async ffmpeg(args: readonly string[]): Promise<void> {
    while (this.slots === 0) await new Promise<void>((resolve) => this.waiting.push(resolve));
    this.slots -= 1;
    try {
      await runTool(this.ffmpegPath, ['-hide_banner', '-loglevel', 'error', '-nostdin', '-y', ...args]);
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
    if (existsSync(path)) return path;
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

/** Repeats the single generated frame. */
const STILL = 'loop=loop=-1:size=1:start=0';

/** Additional motion of a video besides the moving crop window. */
const CAMERAS: readonly ((seconds: number) => string[])[] = [
  () => [],
  () => ['scroll=horizontal=0.0018'],
  () => ['scroll=vertical=0.0015'],
  (seconds) => [`hue=h='24*sin(2*PI*t/${seconds})'`],
  () => ['scroll=horizontal=0.0012:vertical=-0.0010'],
];

/** ffmpeg arguments that produce a scene in that size (in pixels). */
function canvas({ scene, seed }: Pick<PictureRecipe, 'scene' | 'seed'>, width: number, height: number, filters?: string): string[] {
  const share = Math.min(1, CANVAS_SIDE / Math.min(width, height));
  const source = sceneSource(scene, seed, even(width * share), even(height * share));
  return ['-f', 'lavfi', '-i', source, '-vf', [`scale=${width}:${height}:flags=bicubic`, ...(filters ? [filters] : [])].join(',')];
}

function even(value: number): number {
  return Math.max(2, Math.round(value / 2) * 2);
}

/** Runs a program; resolves with its standard output, rejects with its error output on a non-zero exit code. */
export const runTool = async (tool: string, args: readonly string[]): Promise<string> => (await promisify(execFile)(tool, args)).stdout;
