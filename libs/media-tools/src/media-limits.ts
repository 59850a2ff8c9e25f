import { LIMITS } from '@autoposter/contracts';
import type { MediaInfo } from './media-info';

/** Resource limits per file. A file beyond them is refused as `too_large`, before or while it is decoded. */
export interface MediaLimits {
  videoBytes: number;
  imageBytes: number;
  /** Maximum length of a source video; one that is longer than a reel is trimmed, and the trim is reported. */
  durationSeconds: number;
  /** Width times height of one picture. */
  pixels: number;
  /** Width times height of one frame of a video. */
  videoPixels: number;
  streams: number;
  /** Maximum size of written files. Instagram accepts reels up to 300 MB and pictures up to 8 MB. */
  outputVideoBytes: number;
  outputImageBytes: number;
  /** Wall time of one short run (probe, frame). */
  shortRunMs: number;
  /** Wall time of one long run: a fixed part and a part per second of output. */
  longRunMs: number;
  longRunMsPerSecond: number;
  /** A run without progress for this long is killed. */
  stallMs: number;
  /** Pixels of all frames of a video together, which determine the decoding time. */
  totalPixels: number;
  /** Memory of one decoder in bytes; default from the limit of the container or the machine. */
  memoryBytes: number;
}

export const DEFAULT_MEDIA_LIMITS: Omit<MediaLimits, 'memoryBytes'> = {
  videoBytes: 1_000_000_000,
  imageBytes: 50_000_000,
  durationSeconds: 15 * 60,
  pixels: 50_000_000,
  // 8192x4320, the largest size of cameras; more frames than a few of a larger one are not decoded within the time
  videoPixels: 36_000_000,
  // 15 minutes of 3840x2160 at 60 frames per second
  totalPixels: 450_000_000_000,
  // broadcast recordings have a dozen sound and subtitle tracks
  streams: 64,
  outputVideoBytes: 300_000_000,
  outputImageBytes: 8_000_000,
  shortRunMs: 30_000,
  longRunMs: 120_000,
  longRunMsPerSecond: 10_000,
  stallMs: 60_000,
};

/** The Reels profile of written videos (source: Meta's IG User Media reference; stricter where the specification says so). */
export const REEL = { ...LIMITS.reels, fps: 30, audioRate: 48_000, audioBitrate: '128k', keyFrameSeconds: 2 } as const;

/** Pictures that Instagram's publishing API accepts: JPEG, ratio 4:5 to 1.91:1, width 320 to 1440. */
export const PICTURE = { minRatio: 0.8, maxRatio: 1.91, minWidth: 320, maxWidth: 1440 } as const;

/**
 * Limits of Instagram's publishing API (source: Meta's IG User Media reference, Reel and image specifications). Seconds, bytes, pixels, bits per
 * second.
 */
export const PLATFORM = {
  video: { minSeconds: 3, maxSeconds: 15 * 60, maxBytes: 300_000_000, minFps: 23, maxFps: 60, maxWidth: 1920, maxBitRate: 25_000_000 },
  picture: { ...PICTURE, maxBytes: 8_000_000 },
  /** Files in one post. */
  maxFiles: 10,
} as const;

type Rule = readonly [holds: boolean, refusal: string];

/** Why Instagram would refuse this file, as a sentence; `null` if no rule is violated. */
export function platformRefusal(info: MediaInfo): string | null {
  const rules = info.kind === 'video' ? videoRules(info) : pictureRules(info);
  return rules.find(([holds]) => !holds)?.[1] ?? null;
}

function videoRules({ container, videoCodec, audioCodec, durationSeconds, fps, width, height, bytes }: MediaInfo): Rule[] {
  const { minSeconds, maxSeconds, maxBytes, minFps, maxFps, maxWidth, maxBitRate } = PLATFORM.video;
  const seconds = durationSeconds ?? 0;
  return [
    [seconds >= minSeconds, `The video lasts ${round(seconds)} s; Instagram takes videos from ${minSeconds} s on.`],
    [seconds <= maxSeconds, `The video lasts ${round(seconds)} s; Instagram takes videos up to ${maxSeconds / 60} minutes.`],
    [bytes <= maxBytes, `The video has ${megabytes(bytes)}; Instagram takes up to ${megabytes(maxBytes)}.`],
    [container === 'mp4' || container === 'mov', `The video comes as ${container}; Instagram takes MP4 and MOV.`],
    [videoCodec === 'h264' || videoCodec === 'hevc', `The picture is coded as ${videoCodec}; Instagram takes H.264 and HEVC.`],
    [audioCodec === null || audioCodec === 'aac', `The sound is coded as ${audioCodec}; Instagram takes AAC.`],
    [between(fps ?? 0, minFps, maxFps), `The video has ${round(fps ?? 0)} pictures per second; Instagram takes ${minFps} to ${maxFps}.`],
    [width <= maxWidth, `The video is ${width} pixels wide; Instagram takes up to ${maxWidth}.`],
    [between(width / height, 0.01, 10), 'The video is too narrow or too wide for Instagram.'],
    [(bytes * 8) / Math.max(seconds, 1) <= maxBitRate, `The video has more than ${maxBitRate / 1_000_000} Mbit per second.`],
  ];
}

function pictureRules({ container, width, height, bytes }: MediaInfo): Rule[] {
  const { minRatio, maxRatio, minWidth, maxWidth, maxBytes } = PLATFORM.picture;
  return [
    [container === 'jpeg', `The picture comes as ${container}; Instagram takes JPEG.`],
    [bytes <= maxBytes, `The picture has ${megabytes(bytes)}; Instagram takes up to ${megabytes(maxBytes)}.`],
    [between(width, minWidth, maxWidth), `The picture is ${width} pixels wide; Instagram takes ${minWidth} to ${maxWidth}.`],
    [between(width / height, minRatio, maxRatio), `The picture has the ratio ${round(width / height)}; Instagram takes 4:5 to 1.91:1.`],
  ];
}

const between = (value: number, least: number, most: number): boolean => value >= least && value <= most;
const round = (value: number): number => Math.round(value * 100) / 100;
const megabytes = (bytes: number): string => `${Math.ceil(bytes / 100_000) / 10} MB`;

/** Programs and limits of every operation. */
export interface Toolbox {
  ffmpegPath: string;
  ffprobePath: string;
  limits: MediaLimits;
}
