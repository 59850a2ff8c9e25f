import type { MediaInfo } from './media-info';
import { PICTURE } from './media-limits';

/**
 * What Instagram's publishing API refuses, whatever this product's own profile says (source: Meta's IG User Media reference, sections on
 * Reel and image specifications). Seconds, bytes, pixels, bits per second.
 */
export const PLATFORM = {
  video: { minSeconds: 3, maxSeconds: 15 * 60, maxBytes: 300_000_000, minFps: 23, maxFps: 60, maxWidth: 1920, maxBitRate: 25_000_000 },
  picture: { ...PICTURE, maxBytes: 8_000_000 },
  /** Files in one post. */
  maxFiles: 10,
} as const;

type Rule = readonly [holds: boolean, otherwise: string];

/** Why Instagram would not take this file, as a sentence; `null` where nothing is known against it. */
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
