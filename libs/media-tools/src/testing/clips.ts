import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

export interface ClipOptions {
  width?: number;
  height?: number;
  seconds?: number;
  fps?: number;
  sound?: boolean;
  /** A source of ffmpeg's `lavfi`, without size, rate and length. */
  picture?: string;
  /** More output options. */
  more?: string[];
}

/** Writes a small generated clip; its container follows from the name. */
export async function makeClip(out: string, options: ClipOptions = {}): Promise<string> {
  const { width = 320, height = 180, seconds = 2, fps = 25, sound = true, picture = 'testsrc2' } = options;
  const join = picture.includes('=') ? ':' : '=';
  const sounds = sound ? ['-f', 'lavfi', '-i', `sine=frequency=440:sample_rate=44100:duration=${seconds}`] : [];
  await ffmpeg([
    ...['-f', 'lavfi', '-t', String(seconds), '-i', `${picture}${join}size=${width}x${height}:rate=${fps}`],
    ...sounds,
    ...(out.endsWith('.webm')
      ? ['-c:v', 'libvpx', '-c:a', 'libopus']
      : out.endsWith('.gif')
        ? []
        : ['-c:v', 'libx264', '-preset', 'ultrafast']),
    ...['-pix_fmt', out.endsWith('.gif') ? 'rgb8' : 'yuv420p', ...(options.more ?? []), out],
  ]);
  return out;
}

export async function ffmpeg(args: readonly string[]): Promise<void> {
  await run('ffmpeg', ['-hide_banner', '-loglevel', 'error', '-nostdin', '-y', ...args]);
}
