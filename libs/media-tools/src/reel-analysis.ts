import { runFfmpeg, threadsFor } from './ffmpeg';
import { REEL, type Toolbox } from './media-limits';
import type { ProbedFile } from './probe';
import type { Area } from './reel-filters';

/** Integrated loudness of written reels (EBU R128), what is left alone around it, and the loudest peak in dBFS, which AAC exceeds by 1 dB. */
export const LOUDNESS = { target: -14, tolerance: 2, silence: -60, maxGain: 12, peak: -2 } as const;

const soundFilters = [`aresample=${REEL.audioRate}:async=1:first_pts=0`, 'aformat=channel_layouts=stereo'];

/** Integrated loudness of the first `seconds` as they are heard after mixing to stereo, in LUFS; `null` for silence. */
export async function measureLoudness(toolbox: Toolbox, source: ProbedFile, seconds: number, signal: AbortSignal): Promise<number | null> {
  const plan = {
    inputs: [{ source: source.file.path, demuxer: source.file.demuxer as string, options: ['-vn'] }],
    audioFilters: [...soundFilters, 'ebur128=metadata=1', 'ametadata=mode=print:key=lavfi.r128.I:file=-'],
    outputOptions: ['-map', '0:a:0', '-t', seconds.toFixed(3), '-f', 'null'],
  };
  const values = await readMetadata(toolbox, plan, signal);
  const loudness = values.get('lavfi.r128.I');
  return loudness === undefined || loudness < LOUDNESS.silence ? null : loudness;
}

/** Brings a measured loudness to the target. The gain is limited so that noise of a nearly silent track is not raised to speech. */
export const gainFor = (loudness: number | null): number =>
  loudness === null || Math.abs(LOUDNESS.target - loudness) < 0.5 ? 0 : Math.min(LOUDNESS.maxGain, LOUDNESS.target - loudness);

export function audioFilters(gain: number): string[] {
  const limit = 10 ** (LOUDNESS.peak / 20);
  const louder = [`volume=${gain.toFixed(2)}dB`, `alimiter=limit=${limit.toFixed(4)}:attack=5:release=50:level=0`];
  return [...soundFilters, ...(gain === 0 ? [] : louder), 'apad'];
}

/** Bars cover at least this share of a side and are equally thick within this share. */
const BARS = { least: 0.02, unequal: 0.02, leastKept: 0.3 } as const;

/** The area inside black bars, from key frames; `null` without bars. A dark part of a scene has no opposite of equal size, so it stays. */
export async function findBars(toolbox: Toolbox, source: ProbedFile, signal: AbortSignal): Promise<Area | null> {
  const { file, frame, info } = source;
  const plan = {
    inputs: [
      {
        source: file.path,
        demuxer: file.demuxer as string,
        options: ['-threads', threadsFor(toolbox, frame, 'decode'), ...(KEYED.has(info.videoCodec) ? ['-skip_frame', 'nokey'] : [])],
      },
    ],
    videoFilters: ['cropdetect=limit=0.094:round=2:reset=0:skip=0', 'metadata=mode=print:file=-'],
    outputOptions: ['-map', '0:V:0', '-an', '-sn', '-dn', '-t', String(REEL.maxSeconds), '-frames:v', '60', '-f', 'null'],
  };
  const found = await readMetadata(toolbox, plan, signal);
  const [left, right, top, bottom] = ['x1', 'x2', 'y1', 'y2'].map((side) => found.get(`lavfi.cropdetect.${side}`));
  if (left === undefined || right === undefined || top === undefined || bottom === undefined) return null;
  // a black picture has no inside
  if (right <= left || bottom <= top) return null;
  const turned = info.rotation === 90 || info.rotation === 270;
  const [width, height] = turned ? [frame.height, frame.width] : [frame.width, frame.height];
  const [x, across] = withoutBars(left, width - 1 - right, width);
  const [y, down] = withoutBars(top, height - 1 - bottom, height);
  const isWhole = across === width && down === height;
  return isWhole || across * down < width * height * BARS.leastKept ? null : { x, y, width: across, height: down };
}

/** Animations have no key frames but the first. */
const KEYED = new Set(['h264', 'hevc', 'vp8', 'vp9', 'av1', 'mpeg4']);

/** Start and length of a side between two bars; the whole side without bars. */
function withoutBars(before: number, after: number, length: number): [start: number, length: number] {
  const thin = Math.min(before, after) < Math.max(4, length * BARS.least);
  if (thin || Math.abs(before - after) > Math.max(4, length * BARS.unequal)) return [0, length];
  // chroma has half the resolution
  const start = Math.ceil(before / 2) * 2;
  return [start, Math.floor((length - start - after) / 2) * 2];
}

/** The last value of each numeric key that the filters print. */
async function readMetadata(
  toolbox: Toolbox,
  plan: Omit<Parameters<typeof runFfmpeg>[1], 'output'>,
  signal: AbortSignal,
): Promise<Map<string, number>> {
  const values = new Map<string, number>();
  let pending = '';
  const onOutput = (chunk: Buffer) => {
    const lines = (pending + chunk.toString('latin1')).split('\n');
    pending = lines.pop() ?? '';
    for (const line of lines) {
      const at = line.indexOf('=');
      const value = Number(line.slice(at + 1));
      if (at > 0 && Number.isFinite(value)) values.set(line.slice(0, at), value);
    }
  };
  await runFfmpeg(toolbox, { ...plan, output: 'pipe:1' }, { signal, timeoutMs: toolbox.limits.longRunMs, onOutput });
  return values;
}
