import { spawnSync } from 'node:child_process';
import path from 'node:path';
import type { Change } from './changes';
import { paintScene, writePicture, writeText } from './scenes';

const FPS = 8;
const SCENE_SECONDS = 3;
const H264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-r', String(FPS)];

/** Makes generated pictures and clips, and changed copies of them, with ffmpeg. */
export class FileMaker {
  private readonly strip: string;

  constructor(
    private readonly folder: string,
    private readonly ffmpegPath: string,
  ) {
    const strip = { width: 400, height: 48, rgb: new Uint8Array(400 * 48 * 3).fill(250) };
    writeText(strip, 3, { x: 10, y: 8, width: 340, lines: 1, dot: 4 }, 10);
    this.strip = writePicture(this.at('strip.ppm'), strip);
  }

  at(name: string): string {
    return path.join(this.folder, name);
  }

  picture(name: string, seed: number): string {
    const out = this.at(`${name}.png`);
    this.run('-i', writePicture(this.at('scene.ppm'), paintScene(seed)), out);
    return out;
  }

  canvas(name: string, canvas: Parameters<typeof writePicture>[1]): string {
    const out = this.at(`${name}.png`);
    this.run('-i', writePicture(this.at('canvas.ppm'), canvas), out);
    return out;
  }

  /** Slow pans over painted scenes; each seed is a scene of 3 s, or of as many seconds as given. */
  clip(name: string, scenes: readonly { seed: number; seconds?: number }[]): string {
    const out = this.at(`${name}.mp4`);
    const inputs = scenes.flatMap(({ seed, seconds = SCENE_SECONDS }, index) => {
      const file = writePicture(this.at(`scene-${index}.ppm`), paintScene(seed, 320, 240));
      return ['-loop', '1', '-framerate', String(FPS), '-t', String(seconds), '-i', file];
    });
    const pans = scenes.map(({ seconds = SCENE_SECONDS }, index) => {
      const x = index % 2 === 0 ? `t/${seconds}` : `(1-t/${seconds})`;
      return `[${index}:v]crop=240:180:x=(iw-ow)*${x}:y=(ih-oh)*t/${seconds},setsar=1[s${index}]`;
    });
    const joined = `${scenes.map((_scene, index) => `[s${index}]`).join('')}concat=n=${scenes.length}:v=1`;
    this.run(...inputs, '-filter_complex', [...pans, joined].join(';'), ...H264, '-crf', '20', out);
    return out;
  }

  /** Each seed is another picture behind the file. */
  change(file: string, change: Change, seed: number): string {
    const background = writePicture(this.at('background.ppm'), paintScene(777_777 + seed));
    const isClip = file.endsWith('.mp4');
    const out = this.at(isClip ? 'changed.mp4' : `changed.${change.extension ?? 'jpg'}`);
    const still = (input: string): string[] => [...(isClip ? ['-loop', '1', '-framerate', String(FPS)] : []), '-i', input];
    const graph = isClip ? change.graph.replace(/overlay=/gu, 'overlay=shortest=1:') : change.graph;
    const quality = (isClip ? change.clip : change.picture) ?? (isClip ? ['-crf', '26'] : change.extension ? [] : ['-q:v', '4']);
    const options = isClip ? [...H264, ...quality] : ['-frames:v', '1', ...quality];
    this.run(...(change.input ?? []), '-i', file, ...still(this.strip), ...still(background), '-filter_complex', graph, ...options, out);
    return out;
  }

  private run(...args: string[]): void {
    const { status, stderr } = spawnSync(this.ffmpegPath, ['-v', 'error', '-nostdin', '-y', ...args], { encoding: 'utf8' });
    if (status !== 0) throw new Error(`ffmpeg ${args.join(' ')} failed: ${stderr}`);
  }
}
