import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** A colour and a tone of no other generated file. */
const COLOUR = [0xc8, 0x50, 0xff] as const;
const TONE_HZ = 3136;
/** Largest difference of a channel of the colour, after two encoders. */
const TOLERANCE = 24;
/** Loudest peak around the tone, in dBFS, of sound without it. */
const QUIET = -40;

/** Arguments of ffmpeg for a file that hostile files refer to. */
export const CANARY: readonly string[] = [
  ...['-f', 'lavfi', '-i', `color=c=0x${Buffer.from(COLOUR).toString('hex')}:s=64x64:r=10:d=1,format=gbrp`],
  ...['-f', 'lavfi', '-i', `aevalsrc=0.3*sin(2*PI*${TONE_HZ}*t):s=48000:d=1`],
  ...['-vf', 'scale=out_color_matrix=smpte170m:out_range=tv', '-c:v', 'libx264', '-pix_fmt', 'yuv420p', '-c:a', 'aac'],
];

/** What of the canary a picture or video contains. */
export async function canaryIn(file: string): Promise<('picture' | 'sound')[]> {
  return [...((await showsColour(file)) ? ['picture' as const] : []), ...((await sounds(file)) ? ['sound' as const] : [])];
}

async function showsColour(file: string): Promise<boolean> {
  // reels are tagged as BT.709, and pictures as what a JPEG is
  const args = ['-v', 'error', '-i', file, '-an', '-vf', 'scale=32:32:flags=area,format=rgb24', '-f', 'rawvideo', '-'];
  const { stdout } = await run('ffmpeg', args, { encoding: 'buffer', maxBuffer: 64 * 2 ** 20 });
  for (let at = 0; at + 2 < stdout.length; at += 3)
    if (COLOUR.every((level, index) => Math.abs((stdout[at + index] as number) - level) <= TOLERANCE)) return true;
  return false;
}

async function sounds(file: string): Promise<boolean> {
  const band = `bandpass=frequency=${TONE_HZ}:width_type=h:width=60,volumedetect`;
  const { stderr } = await run('ffmpeg', ['-hide_banner', '-nostats', '-i', file, '-map', '0:a?', '-af', band, '-f', 'null', '-']).catch(
    ({ stderr }: { stderr: string }) => ({ stderr }),
  );
  return Number(/max_volume: (-?[\d.]+) dB/.exec(stderr)?.[1] ?? QUIET) > QUIET;
}
