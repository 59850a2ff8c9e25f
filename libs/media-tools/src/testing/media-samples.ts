import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { PipelineError } from '@autoposter/domain';
import sharp, { type Sharp } from 'sharp';

const run = promisify(execFile);

interface ClipOptions {
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

/** Writes a small generated clip; the extension determines the container. */
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

/** The failure kind of a rejected call, or a text that no expectation matches. */
export async function failureKind(work: Promise<unknown>): Promise<string> {
  try {
    await work;
  } catch (error) {
    return error instanceof PipelineError ? error.failure.kind : `not a PipelineError: ${String(error)}`;
  }
  return 'no failure';
}

// in Jest's sandbox, reading a global costs more than computing the sine
const { cos, sin, max, min } = Math;

/** A picture with structure at every scale, the same for the same seed. */
export function paint(seed: number, width = 400, height = 300): Sharp {
  const random = generator(seed);
  const waves = Array.from({ length: 24 }, () => ({
    x: (random() - 0.5) * 40,
    y: (random() - 0.5) * 40,
    phase: random() * 7,
    strength: random(),
    colour: [random(), random(), random()],
  }));
  // sin(a + b) from the sines and cosines of both: a sine for each wave and pixel takes most of the time of a spec
  const columns = waves.map(({ x }) => Float64Array.from({ length: width }, (_none, column) => (x * column) / width));
  const tables = columns.map((angles) => ({ sines: angles.map(sin), cosines: angles.map(cos) }));
  const data = Buffer.alloc(width * height * 3);
  for (let row = 0; row < height; row += 1) {
    const sums = new Float64Array(width * 3);
    for (const [wave, { y, phase, strength, colour }] of waves.entries()) {
      const { sines, cosines } = tables[wave]!;
      const angle = (y * row) / height + phase;
      const [sine, cosine] = [sin(angle) * strength, cos(angle) * strength];
      const [red, green, blue] = colour.map((share) => 0.5 + share) as [number, number, number];
      for (let column = 0, at = 0; column < width; column += 1, at += 3) {
        const swing = sines[column]! * cosine + cosines[column]! * sine;
        sums[at]! += swing * red;
        sums[at + 1]! += swing * green;
        sums[at + 2]! += swing * blue;
      }
    }
    for (let at = 0; at < sums.length; at += 1) data[row * sums.length + at] = max(0, min(255, 128 + sums[at]! * 28));
  }
  return sharp(data, { raw: { width, height, channels: 3 } });
}

/** Deterministic numbers in [0, 1) (mulberry32). */
export function generator(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
