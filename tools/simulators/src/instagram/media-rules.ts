/** Properties of an inspected file. */
export interface MediaFacts {
  kind: 'video' | 'image' | 'unknown';
  format: string;
  bytes: number;
  width: number;
  height: number;
  videoCodec: string | null;
  pixelFormat: string | null;
  fps: number;
  seconds: number;
  bitrate: number;
  audio: { codec: string; sampleRate: number; channels: number } | null;
  /** `moov` precedes `mdat`. */
  moovFirst: boolean;
  progressive: boolean;
  editLists: boolean;
}

const MB = 1_000_000;
const IMAGE_LIMIT_BYTES = 8 * 1_048_576;
const RATIO = { tallest: 4 / 5, widest: 1.91 };

interface VideoLimits {
  bytes: number;
  seconds: { min: number; max: number };
  ratio: { min: number; max: number };
}

const REEL: VideoLimits = { bytes: 300 * MB, seconds: { min: 3, max: 900 }, ratio: { min: 0.01, max: 10 } };
const STORY: VideoLimits = { bytes: 100 * MB, seconds: { min: 3, max: 60 }, ratio: { min: 0.1, max: 10 } };

/** The first violated rule, or `null`. Every violation ends in subcode 2207026. */
export function videoViolation(facts: MediaFacts, use: 'REELS' | 'STORIES' | 'VIDEO'): string | null {
  const limits = use === 'STORIES' ? STORY : REEL;
  const ratio = facts.width / facts.height;
  const rules: readonly (readonly [boolean, string])[] = [
    [facts.kind === 'video', 'not a video'],
    [/mp4|mov/.test(facts.format), 'container must be MP4 or MOV'],
    [facts.moovFirst, 'moov atom must be at the front'],
    [!facts.editLists, 'no edit lists'],
    [facts.videoCodec === 'h264' || facts.videoCodec === 'hevc', 'codec must be H.264 or HEVC'],
    [facts.pixelFormat === 'yuv420p' || facts.pixelFormat === 'yuvj420p' || facts.pixelFormat === 'yuv420p10le', 'chroma must be 4:2:0'],
    [facts.progressive, 'must be progressive'],
    [facts.bytes <= limits.bytes, 'file too large'],
    [facts.seconds >= limits.seconds.min && facts.seconds <= limits.seconds.max, 'duration out of range'],
    [facts.fps >= 22.9 && facts.fps <= 60.1, 'frame rate out of range'],
    [facts.width <= 1920, 'too many columns'],
    [ratio >= limits.ratio.min && ratio <= limits.ratio.max, 'aspect ratio out of range'],
    [facts.bitrate <= 25 * MB, 'bit rate too high'],
    [facts.audio === null || facts.audio.codec === 'aac', 'audio must be AAC'],
    [facts.audio === null || facts.audio.sampleRate <= 48_000, 'audio sample rate too high'],
    [facts.audio === null || facts.audio.channels <= 2, 'too many audio channels'],
  ];
  return rules.find(([holds]) => !holds)?.[1] ?? null;
}

/** The error for an image, or `null`. Stories accept any aspect ratio. */
export function imageViolation(
  facts: MediaFacts,
  story: boolean,
): 'media_unreachable' | 'image_size' | 'image_format' | 'aspect_ratio' | null {
  if (facts.kind !== 'image') return 'media_unreachable';
  if (facts.bytes > IMAGE_LIMIT_BYTES) return 'image_size';
  if (facts.format !== 'jpeg') return 'image_format';
  // Ratio limits are rounded to whole pixels in favour of the image.
  const fits = facts.width >= Math.floor(facts.height * RATIO.tallest) && facts.width <= Math.ceil(facts.height * RATIO.widest);
  return fits || story ? null : 'aspect_ratio';
}
