import { spawnSync } from 'node:child_process';
import path from 'node:path';
import type { MediaPrograms } from './media-programs';

export interface Clip {
  name: string;
  file: string;
  width: number;
  height: number;
  hasAudio: boolean;
}

interface Recipe {
  name: string;
  picture: string;
  width: number;
  height: number;
  hasAudio: boolean;
}

/** Three that do not look alike (a repeated picture would be refused as already there), with noise, as a camera has it. */
const RECIPES: readonly Recipe[] = [
  { name: 'portrait', picture: 'testsrc2=size=1080x1920:rate=30', width: 1080, height: 1920, hasAudio: true },
  { name: 'landscape', picture: 'mandelbrot=size=1280x720:rate=30:start_scale=0.3', width: 1280, height: 720, hasAudio: true },
  {
    name: 'square and silent',
    picture: 'life=size=180x180:rate=30:mold=10:random_seed=7:ratio=0.2',
    width: 720,
    height: 720,
    hasAudio: false,
  },
];

/** Generated clips of `seconds` each; the same every time. */
export function makeClips(folder: string, seconds: number, { ffmpeg }: MediaPrograms): Clip[] {
  return RECIPES.map(({ name, picture, width, height, hasAudio }, index) => {
    const file = path.join(folder, `clip-${index}.mp4`);
    const sound = hasAudio ? ['-f', 'lavfi', '-i', `sine=frequency=${300 + index * 90}:sample_rate=44100`, '-c:a', 'aac', '-shortest'] : [];
    const video = [
      '-vf',
      `scale=${width}:${height},noise=alls=12:allf=t:all_seed=${index + 1},format=yuv420p`,
      '-c:v',
      'libx264',
      '-preset',
      'ultrafast',
    ];
    const args = ['-v', 'error', '-y', '-f', 'lavfi', '-i', picture, ...sound, ...video, '-crf', '23', '-t', String(seconds), file];
    const made = spawnSync(ffmpeg, args, { encoding: 'utf8' });
    if (made.status !== 0) throw new Error(`the clip "${name}" could not be made: ${made.stderr}`);
    return { name, file, width, height, hasAudio };
  });
}
