import { LIMITS } from '@autoposter/contracts';

/** What a file may ask of us. Everything beyond is refused as `too_large`, before or while it is decoded. */
export interface MediaLimits {
  videoBytes: number;
  imageBytes: number;
  /** Longest source video; what is longer than a reel but shorter than this is cut, and the cut is told. */
  durationSeconds: number;
  /** Width times height of one picture or frame. */
  pixels: number;
  streams: number;
  /** Most that a written file may measure. Instagram takes reels up to 300 MB and pictures up to 8 MB. */
  outputVideoBytes: number;
  outputImageBytes: number;
  /** Wall time of one short run (probe, frame). */
  shortRunMs: number;
  /** Wall time of one long run: a fixed part, and a part per second of output. */
  longRunMs: number;
  longRunMsPerSecond: number;
  /** A run that makes no progress for this long is ended. */
  stallMs: number;
  /** Pixels of all frames of a video together: what decoding it costs in time. */
  totalPixels: number;
  /** Memory of one decoder in bytes; from the container's or the machine's limit unless given. */
  memoryBytes: number;
}

export const DEFAULT_MEDIA_LIMITS: Omit<MediaLimits, 'memoryBytes'> = {
  videoBytes: 1_000_000_000,
  imageBytes: 50_000_000,
  durationSeconds: 15 * 60,
  pixels: 50_000_000,
  // 15 minutes of 3840x2160 at 60 frames a second
  totalPixels: 450_000_000_000,
  streams: 8,
  outputVideoBytes: 300_000_000,
  outputImageBytes: 8_000_000,
  shortRunMs: 30_000,
  longRunMs: 120_000,
  longRunMsPerSecond: 10_000,
  stallMs: 60_000,
};

/** The Reels profile that this product writes (source: Meta's IG User Media reference; stricter where the settings screen says so). */
export const REEL = { ...LIMITS.reels, fps: 30, audioRate: 48_000, audioBitrate: '128k', keyFrameSeconds: 2 } as const;

/** Pictures as Instagram's publishing API takes them: JPEG, ratio 4:5 to 1.91:1, width 320 to 1440. */
export const PICTURE = { minRatio: 0.8, maxRatio: 1.91, minWidth: 320, maxWidth: 1440 } as const;
