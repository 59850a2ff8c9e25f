import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** The colour of one pixel as a player shows it that follows BT.709. */
export async function pixelAt(file: string, seconds: number, x: number, y: number): Promise<[number, number, number]> {
  const filters = `crop=2:2:${x}:${y}:exact=1,scale=in_color_matrix=bt709:in_range=tv,format=rgb24`;
  const { stdout } = await run(
    'ffmpeg',
    ['-v', 'error', '-ss', String(seconds), '-i', file, '-frames:v', '1', '-vf', filters, '-f', 'rawvideo', '-'],
    { encoding: 'buffer' },
  );
  return [stdout[0] ?? -1, stdout[1] ?? -1, stdout[2] ?? -1];
}

/** The largest difference of a channel. */
export const distance = (a: readonly number[], b: readonly number[]): number =>
  Math.max(...a.map((value, index) => Math.abs(value - (b[index] ?? Number.NaN))));

interface StreamFacts {
  codec_type: string;
  codec_name: string;
  width: number;
  height: number;
  avg_frame_rate: string;
  color_space?: string;
  color_transfer?: string;
  color_primaries?: string;
  color_range?: string;
  field_order?: string;
  start_time: string;
  duration: string;
  channels?: number;
}

export async function streamsOf(file: string): Promise<{ video: StreamFacts; audio: StreamFacts; tags: Record<string, string> }> {
  const { stdout } = await run('ffprobe', ['-v', 'error', '-show_streams', '-show_format', '-of', 'json', file]);
  const { streams, format } = JSON.parse(stdout) as { streams: StreamFacts[]; format: { tags?: Record<string, string> } };
  const one = (kind: string) => streams.find((stream) => stream.codec_type === kind) as StreamFacts;
  return { video: one('video'), audio: one('audio'), tags: format.tags ?? {} };
}

/** Hashes of the coded packets of the first video track, in order. */
export async function videoPackets(file: string): Promise<string[]> {
  const args = ['-v', 'error', '-i', file, '-map', '0:V:0', '-c', 'copy', '-f', 'framehash', '-hash', 'sha256', '-'];
  const { stdout } = await run('ffmpeg', args, { maxBuffer: 64 * 1024 * 1024 });
  return stdout
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => line.split(',').at(-1)?.trim() ?? '');
}

/** Integrated loudness in LUFS (EBU R128). */
export async function loudnessOf(file: string): Promise<number> {
  const { stderr } = await run('ffmpeg', ['-hide_banner', '-nostats', '-i', file, '-vn', '-af', 'ebur128', '-f', 'null', '-'], {
    maxBuffer: 16 * 1024 * 1024,
  });
  return Number(/I:\s+(-?[\d.]+) LUFS/.exec(stderr.slice(stderr.lastIndexOf('Integrated')))?.[1]);
}

/** Root mean square of a moment of sound in dBFS. */
export async function levelAt(file: string, seconds: number): Promise<number> {
  const args = ['-v', 'error', '-ss', String(seconds), '-t', '0.04', '-i', file, '-vn', '-ac', '1', '-f', 'f32le', '-'];
  const { stdout } = await run('ffmpeg', args, { encoding: 'buffer' });
  const samples = Array.from({ length: Math.floor(stdout.length / 4) }, (_none, index) => stdout.readFloatLE(index * 4));
  return 10 * Math.log10(samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length);
}
