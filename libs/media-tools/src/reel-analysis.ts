import type { FfmpegOutput } from './ffmpeg';
import { type Area, isQuarterTurn } from './media-info';
import { REEL } from './media-limits';
import { areBars, BARS } from './picture-bars';
import type { ProbedFile } from './probe';

/**
 * Integrated loudness of written reels (EBU R128) in LUFS, the difference at which a sound is copied unchanged, the loudness below which it counts
 * as silence, the largest gain in dB, and the loudest peak in dBFS (AAC exceeds it by 1 dB).
 */
export const LOUDNESS = { target: -14, tolerance: 2, silence: -60, maxGain: 12, peak: -2 } as const;

const soundFilters = [`aresample=${REEL.audioRate}:async=1:first_pts=0`, 'aformat=channel_layouts=stereo'];

/** Brings a measured loudness to the target. The gain is limited so that noise of a nearly silent track is not raised to speech. */
export const gainFor = (loudness: number | null): number =>
  loudness === null || Math.abs(LOUDNESS.target - loudness) < 0.5 ? 0 : Math.min(LOUDNESS.maxGain, LOUDNESS.target - loudness);

export function audioFilters(gain: number): string[] {
  const limit = 10 ** (LOUDNESS.peak / 20);
  const louder = [`volume=${gain.toFixed(2)}dB`, `alimiter=limit=${limit.toFixed(4)}:attack=5:release=50:level=0`];
  return [...soundFilters, ...(gain === 0 ? [] : louder), 'apad'];
}

/** What normalisation needs to know of a video before it writes it. */
export interface ReelAnalysis {
  /** The area inside black bars; `null` without bars. A dark part of a scene has no opposite of equal size, so it stays. */
  bars: Area | null;
  /** Integrated loudness of the part that is written, as it is heard after mixing to stereo, in LUFS; `null` for silence. */
  loudness: number | null;
}

/** Filters that measure while a video is decoded for another purpose, and what they report on descriptors of their own. */
export class ReelMeter {
  /** Pass the frames unchanged. */
  readonly videoFilters = [
    `cropdetect=limit=0.094:round=2:reset=0:skip=0:enable='lte(t,${REEL.maxSeconds})'`,
    "metadata=mode=print:file='pipe\\:4'",
  ];
  readonly outputs: readonly FfmpegOutput[];
  readonly readers: readonly ((chunk: Buffer) => void)[];
  private readonly picture = new MetadataReader();
  private readonly sound = new MetadataReader();

  constructor(private readonly source: ProbedFile) {
    const { hasAudio } = source.info;
    this.readers = [this.picture.take, ...(hasAudio ? [this.sound.take] : [])];
    this.outputs = hasAudio ? [SOUND_OUTPUT] : [];
  }

  result(): ReelAnalysis {
    const loudness = this.sound.values.get('lavfi.r128.I');
    return { bars: this.bars(), loudness: loudness === undefined || loudness < LOUDNESS.silence ? null : loudness };
  }

  private bars(): Area | null {
    const { frame, info } = this.source;
    const [left, right, top, bottom] = ['x1', 'x2', 'y1', 'y2'].map((side) => this.picture.values.get(`lavfi.cropdetect.${side}`));
    if (left === undefined || right === undefined || top === undefined || bottom === undefined) return null;
    // a black picture has no inside
    if (right <= left || bottom <= top) return null;
    const [width, height] = isQuarterTurn(info.rotation) ? [frame.height, frame.width] : [frame.width, frame.height];
    const [x, across] = withoutBars(left, width - 1 - right, width);
    const [y, down] = withoutBars(top, height - 1 - bottom, height);
    const isWhole = across === width && down === height;
    return isWhole || across * down < width * height * BARS.leastKept ? null : { x, y, width: across, height: down };
  }
}

const SOUND_OUTPUT: FfmpegOutput = {
  audioFilters: [...soundFilters, 'ebur128=metadata=1', "ametadata=mode=print:key=lavfi.r128.I:file='pipe\\:5'"],
  outputOptions: ['-map', '0:a:0', '-vn', '-t', String(REEL.maxSeconds), '-f', 'null'],
  output: 'pipe:1',
};

/** Start and length of a side between two bars; the whole side without bars. */
function withoutBars(before: number, after: number, length: number): [start: number, length: number] {
  if (!areBars(before, after, length, 4)) return [0, length];
  // chroma has half the resolution
  const start = Math.ceil(before / 2) * 2;
  return [start, Math.floor((length - start - after) / 2) * 2];
}

/** The last value of each numeric key that filters print. */
class MetadataReader {
  readonly values = new Map<string, number>();
  private pending = '';

  readonly take = (chunk: Buffer): void => {
    const lines = (this.pending + chunk.toString('latin1')).split('\n');
    this.pending = lines.pop() ?? '';
    for (const line of lines) {
      const at = line.indexOf('=');
      const value = Number(line.slice(at + 1));
      if (at > 0 && Number.isFinite(value)) this.values.set(line.slice(0, at), value);
    }
  };
}
