import { PipelineError } from '@autoposter/domain';
import type { MediaInfo } from './media-info';
import type { MediaLimits, Toolbox } from './media-limits';
import type { FrameShape } from './memory-budget';
import { readPicture } from './pictures';
import { runProcess } from './run-process';
import { sniffFile, type SniffedFile } from './sniff';

/** `MediaInfo` and internal properties that the operations need. */
export interface ProbedFile {
  file: SniffedFile;
  info: MediaInfo;
  /** `false`: the frames have to be stretched first. */
  squarePixels: boolean;
  pixelFormat: string | null;
  /** The frames as they are stored. */
  frame: FrameShape;
  /** Length of the audio track, which may differ from that of the video. */
  audioSeconds: number | null;
  /** Names of all metadata fields of container and tracks. */
  tags: string[];
}

interface RawStream {
  codec_type?: string;
  codec_name?: string;
  width?: number;
  height?: number;
  avg_frame_rate?: string;
  duration?: string;
  sample_aspect_ratio?: string;
  pix_fmt?: string;
  refs?: number;
  disposition?: { attached_pic?: number };
  side_data_list?: { rotation?: number }[];
  tags?: Record<string, string>;
}
interface RawProbe {
  format?: { duration?: string; nb_streams?: number; tags?: Record<string, string> };
  streams?: RawStream[];
}

const VIDEO_CODECS = new Set(['h264', 'hevc', 'vp8', 'vp9', 'av1', 'mpeg4', 'gif', 'mjpeg']);
const AUDIO_CODECS = new Set(['aac', 'mp3', 'opus', 'vorbis', 'ac3', 'eac3', 'flac', 'alac']);
const ENTRIES = [
  'format=duration,nb_streams',
  'stream=codec_type,codec_name,width,height,avg_frame_rate,duration,sample_aspect_ratio,pix_fmt,refs',
  'stream_disposition=attached_pic',
  'stream_side_data=rotation',
  'format_tags',
  'stream_tags',
].join(':');

/**
 * Confines a hostile file: we choose the demuxer, and neither it nor a nested one may open an address or another file. `format_whitelist` stops
 * a playlist that poses as a video; the protocol list alone does not.
 */
export function inputGuards(demuxer: string, maxPixels: number): string[] {
  if (demuxer === 'lavfi') return ['-f', 'lavfi'];
  const formats = demuxer === 'mov' ? 'mov,mp4,m4a,3gp,3g2,mj2' : demuxer === 'matroska' ? 'matroska,webm' : demuxer;
  return [
    ...['-f', demuxer, '-format_whitelist', formats, '-protocol_whitelist', 'file,pipe'],
    ...['-max_pixels', String(maxPixels), '-probesize', '20M', '-analyzeduration', '10M'],
  ];
}

/** Describes a file; throws if it is unsupported, damaged or beyond the limits. */
export async function probeFile(toolbox: Toolbox, path: string, signal: AbortSignal): Promise<ProbedFile> {
  const file = await sniffFile(path);
  const { limits } = toolbox;
  assertSize(file, limits);
  if (file.kind === 'image') {
    const picture = await readPicture(file, limits);
    if (!picture.animated) {
      return {
        file,
        info: picture.info,
        squarePixels: true,
        pixelFormat: null,
        frame: frameOf(picture.info),
        audioSeconds: null,
        tags: [],
      };
    }
    if (file.demuxer === null) throw PipelineError.of('media_animated');
  }
  const raw = await runFfprobe(toolbox, file, signal);
  return describe(toolbox, { ...file, kind: 'video' }, raw);
}

export function assertSize({ kind, bytes }: SniffedFile, limits: MediaLimits): void {
  const limitBytes = kind === 'image' ? limits.imageBytes : limits.videoBytes;
  if (bytes > limitBytes)
    throw PipelineError.of('media_too_many_bytes', { fields: { size: megabytes(bytes), limit: megabytes(limitBytes) } });
}

async function runFfprobe(toolbox: Toolbox, file: SniffedFile, signal: AbortSignal): Promise<RawProbe> {
  const { limits, ffprobePath } = toolbox;
  const output = await runProcess({
    program: ffprobePath,
    arguments: [
      ...['-hide_banner', '-loglevel', 'error', '-of', 'json', '-show_entries', ENTRIES],
      ...inputGuards(file.demuxer as string, limits.pixels),
      ...['-i', `file:${file.path}`],
    ],
    signal,
    timeoutMs: limits.shortRunMs,
    memoryBytes: limits.memoryBytes,
    cpuSeconds: limits.shortRunMs / 1000,
    fileBytes: 1_000_000,
  });
  try {
    return JSON.parse(output.toString('utf8')) as RawProbe;
  } catch {
    throw PipelineError.of('media_undescribed');
  }
}

function describe(toolbox: Toolbox, file: SniffedFile, raw: RawProbe): ProbedFile {
  const { limits } = toolbox;
  const streams = raw.streams ?? [];
  if (streams.length > limits.streams)
    throw PipelineError.of('media_too_many_tracks', { fields: { tracks: streams.length, limit: limits.streams } });
  const video = streams.find((stream) => stream.codec_type === 'video' && stream.disposition?.attached_pic !== 1);
  const audio = streams.find((stream) => stream.codec_type === 'audio');
  if (!video) throw PipelineError.of('media_without_picture');
  if (!VIDEO_CODECS.has(video.codec_name ?? ''))
    throw PipelineError.of('media_video_codec', { fields: { codec: video.codec_name ?? 'something unknown' } });
  if (audio && !knownAudio(audio.codec_name))
    throw PipelineError.of('media_audio_codec', { fields: { codec: audio.codec_name ?? 'something unknown' } });
  if (!video.width || !video.height) throw PipelineError.of('media_without_size');
  if (video.width * video.height > limits.pixels)
    throw PipelineError.of('media_too_many_pixels', { fields: { width: video.width, height: video.height } });
  const durationSeconds = seconds(video.duration) ?? seconds(raw.format?.duration);
  if (durationSeconds !== null && durationSeconds > limits.durationSeconds) {
    throw PipelineError.of('media_too_long', { fields: { seconds: Math.round(durationSeconds), limitSeconds: limits.durationSeconds } });
  }
  const totalPixels = video.width * video.height * (durationSeconds ?? 0) * (fraction(video.avg_frame_rate) ?? 0);
  if (totalPixels > limits.totalPixels)
    throw PipelineError.of('media_too_many_frames', { fields: { billions: Math.round(totalPixels / 1e9) } });
  const rotation = rotationOf(video);
  const ratio = pixelRatio(video.sample_aspect_ratio);
  const shown = { width: Math.max(1, Math.round(video.width * ratio)), height: video.height };
  const turned = rotation === 90 || rotation === 270;
  const info: MediaInfo = {
    container: file.container,
    kind: 'video',
    width: turned ? shown.height : shown.width,
    height: turned ? shown.width : shown.height,
    durationSeconds,
    fps: fraction(video.avg_frame_rate),
    videoCodec: video.codec_name as string,
    audioCodec: audio?.codec_name ?? null,
    hasAudio: audio !== undefined,
    bytes: file.bytes,
    rotation,
  };
  const tags = [raw.format?.tags, ...streams.map((stream) => stream.tags)].flatMap((found) => Object.keys(found ?? {}));
  const audioSeconds = audio ? seconds(audio.duration) : null;
  const stored = { width: video.width, height: video.height, videoCodec: info.videoCodec };
  const frame = frameOf(stored, video.pix_fmt, video.refs);
  return { file, info, squarePixels: ratio === 1, pixelFormat: video.pix_fmt ?? null, frame, audioSeconds, tags };
}

const frameOf = (
  { width, height, videoCodec }: Pick<MediaInfo, 'width' | 'height' | 'videoCodec'>,
  pixelFormat: string | null = null,
  references = 1,
): FrameShape => ({ width, height, pixelFormat, codec: videoCodec, references });

function knownAudio(codec: string | undefined): boolean {
  return codec !== undefined && (AUDIO_CODECS.has(codec) || codec.startsWith('pcm_'));
}

function seconds(text: string | undefined): number | null {
  const value = Number(text);
  return text !== undefined && Number.isFinite(value) && value > 0 ? value : null;
}

function fraction(text: string | undefined): number | null {
  const [over, under] = (text ?? '').split('/').map(Number);
  const value = (over ?? Number.NaN) / (under ?? 1);
  return Number.isFinite(value) && value > 0 ? Math.round(value * 1000) / 1000 : null;
}

function pixelRatio(text: string | undefined): number {
  const [over, under] = (text ?? '').split(':').map(Number);
  const value = (over ?? 0) / (under ?? 1);
  return Number.isFinite(value) && value >= 0.1 && value <= 10 ? value : 1;
}

/** ffprobe reports counter-clockwise degrees; players and cameras use clockwise ones. */
function rotationOf(stream: RawStream): number {
  const degrees = stream.side_data_list?.find((data) => data.rotation !== undefined)?.rotation ?? 0;
  return (((Math.round(-degrees / 90) * 90) % 360) + 360) % 360;
}

function megabytes(bytes: number): string {
  return `${Math.ceil(bytes / 1_000_000)} MB`;
}
