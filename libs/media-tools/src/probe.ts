import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { PipelineError } from '@autoposter/domain';
import { unpackAnimation } from './animated-webp';
import { creditsOfTags, type Credits } from './credits';
import { runFfprobe } from './ffprobe';
import { isQuarterTurn, type MediaInfo } from './media-info';
import type { MediaLimits, Toolbox } from './media-limits';
import type { FrameShape } from './memory-budget';
import { type PictureHeader, readPicture } from './pictures';
import { unpackHdrPicture } from './hdr-picture';
import { unpackHeic } from './heic';
import { readTimeline } from './timeline';
import { sniffFile, type SniffedFile } from './sniff';

/** `MediaInfo` and internal properties that the operations need. */
export interface ProbedFile {
  /** `path` is what decoders read: of some pictures and animations an unpacked copy. */
  file: SniffedFile;
  info: MediaInfo;
  /** `false`: the frames have to be stretched first. */
  squarePixels: boolean;
  pixelFormat: string | null;
  /** The frames as they are stored. */
  frame: FrameShape;
  colour: Colour;
  /** `false` if the frames may be interlaced. */
  progressive: boolean;
  /** Frames per second as a fraction, such as `30000/1001`; `null` if unknown. */
  rate: string | null;
  /** Index of the track among all tracks of the file. */
  videoTrack: number;
  audioTrack: number | null;
  /** AAC profile, samples per second and channels. */
  sound: { profile: string; rate: number; channels: number } | null;
  /** Where the audio track ends, which may differ from the end of the video. */
  audioSeconds: number | null;
  /** Names of all metadata fields of container and tracks. */
  tags: string[];
  /** Author and copyright notice, the only metadata that is kept. */
  credits: Credits;
}

/** The colours that the original file declares, also if an unpacked copy has others; `null` for what it does not declare. */
export interface Colour {
  matrix: string | null;
  transfer: string | null;
  primaries: string | null;
  fullRange: boolean;
}

interface RawStream {
  index?: number;
  codec_type?: string;
  codec_name?: string;
  width?: number;
  height?: number;
  avg_frame_rate?: string;
  start_time?: string;
  duration?: string;
  sample_aspect_ratio?: string;
  pix_fmt?: string;
  refs?: number;
  profile?: string;
  field_order?: string;
  color_range?: string;
  color_space?: string;
  color_transfer?: string;
  color_primaries?: string;
  sample_rate?: string;
  channels?: number;
  disposition?: { attached_pic?: number };
  side_data_list?: { rotation?: number; dv_profile?: number }[];
  tags?: Record<string, string>;
}
interface RawProbe {
  format?: { duration?: string; tags?: Record<string, string> };
  streams?: RawStream[];
}

const VIDEO_CODECS = new Set(['h264', 'hevc', 'vp8', 'vp9', 'av1', 'mpeg4', 'gif', 'apng', 'mjpeg']);
const AUDIO_CODECS = new Set(['aac', 'mp3', 'opus', 'vorbis', 'ac3', 'eac3', 'flac', 'alac']);
const ENTRIES = [
  'format=duration',
  'stream=index,codec_type,codec_name,profile,width,height,avg_frame_rate,start_time,duration,sample_aspect_ratio,pix_fmt,refs,field_order',
  'stream=color_range,color_space,color_transfer,color_primaries,sample_rate,channels',
  'stream_disposition=attached_pic',
  'stream_side_data=rotation,dv_profile',
  'format_tags',
  'stream_tags',
].join(':');

/** Describes a file. Throws if it is unsupported, damaged or beyond the limits, as far as its header tells. */
export async function describeFile(toolbox: Toolbox, path: string, signal: AbortSignal): Promise<MediaInfo> {
  const { picture } = await readHead(toolbox, path);
  return picture?.animated === false ? picture.info : withProbedFile(toolbox, path, signal, ({ info }) => Promise.resolve(info));
}

/**
 * Describes a file and passes it to `work`; throws if it is unsupported, damaged or beyond the limits. A picture or animation that neither sharp nor
 * ffmpeg can decode as it is shown is unpacked into a file beside it, which decoders read and which is removed afterwards.
 */
export async function withProbedFile<T>(
  toolbox: Toolbox,
  path: string,
  signal: AbortSignal,
  work: (probed: ProbedFile) => Promise<T>,
): Promise<T> {
  const { file, picture } = await readHead(toolbox, path);
  const { limits } = toolbox;
  const isStill = picture?.animated === false;
  const video = { ...file, kind: 'video' as const };
  if (isStill && file.container !== 'heic' && picture.hdr === null) return work(stillPicture(file, picture));
  if (!isStill && file.demuxer !== null) return work(await probeVideo(toolbox, video, signal));
  const unpacked = `${path}.${randomUUID()}.png`;
  try {
    if (isStill) {
      const size =
        picture.hdr === null
          ? await unpackHeic(path, unpacked, { bytes: file.bytes, limits, signal })
          : await unpackHdrPicture(toolbox, file, picture.hdr, unpacked, signal);
      return await work(
        stillPicture({ ...file, path: unpacked }, { ...picture, info: { ...picture.info, width: size.width, height: size.height } }),
      );
    }
    await unpackAnimation(path, unpacked, limits, signal);
    return await work(await probeVideo(toolbox, { ...video, path: unpacked, demuxer: 'apng' }, signal));
  } finally {
    await rm(unpacked, { force: true });
  }
}

async function readHead({ limits }: Toolbox, path: string) {
  const file = await sniffFile(path);
  assertSize(file, limits);
  return { file, picture: file.kind === 'image' ? await readPicture(file, limits) : null };
}

async function probeVideo(toolbox: Toolbox, video: SniffedFile, signal: AbortSignal): Promise<ProbedFile> {
  return describe(toolbox, video, await readStreams(toolbox, video, signal), signal);
}

const stillPicture = (file: SniffedFile, { info, credits, hdr }: PictureHeader): ProbedFile => ({
  file,
  info,
  squarePixels: true,
  pixelFormat: null,
  frame: frameOf(info),
  colour: { matrix: null, transfer: hdr?.transfer ?? null, primaries: hdr?.primaries ?? null, fullRange: true },
  progressive: true,
  rate: null,
  videoTrack: 0,
  audioTrack: null,
  sound: null,
  audioSeconds: null,
  tags: [],
  credits,
});

export function assertSize({ kind, bytes }: SniffedFile, limits: MediaLimits): void {
  const limitBytes = kind === 'image' ? limits.imageBytes : limits.videoBytes;
  if (bytes > limitBytes)
    throw PipelineError.of('media_too_many_bytes', { fields: { size: megabytes(bytes), limit: megabytes(limitBytes) } });
}

async function readStreams(toolbox: Toolbox, file: SniffedFile, signal: AbortSignal): Promise<RawProbe> {
  const output = await runFfprobe(toolbox, file, { show: ['-of', 'json', '-show_entries', ENTRIES], signal });
  try {
    return JSON.parse(output.toString('utf8')) as RawProbe;
  } catch {
    throw PipelineError.of('media_undescribed');
  }
}

async function describe(toolbox: Toolbox, file: SniffedFile, raw: RawProbe, signal: AbortSignal): Promise<ProbedFile> {
  const { limits } = toolbox;
  const streams = raw.streams ?? [];
  if (streams.length > limits.streams)
    throw PipelineError.of('media_too_many_tracks', { fields: { tracks: streams.length, limit: limits.streams } });
  const video = streams.find((stream) => stream.codec_type === 'video' && stream.disposition?.attached_pic !== 1);
  const audio = streams.find((stream) => stream.codec_type === 'audio') ?? null;
  if (!video) throw PipelineError.of('media_without_picture');
  assertCodecs(video, audio);
  if (!video.width || !video.height) throw PipelineError.of('media_without_size');
  if (video.width * video.height > limits.videoPixels)
    throw PipelineError.of('media_too_many_pixels', { fields: { width: video.width, height: video.height } });
  assertLength(limits, video, seconds(video.duration) ?? seconds(raw.format?.duration));
  const { durationSeconds, audioSeconds } = await lengths(toolbox, file, { video, audio, signal });
  assertLength(limits, video, durationSeconds);
  const rotation = rotationOf(video);
  const ratio = pixelRatio(video.sample_aspect_ratio);
  const shown = { width: Math.max(1, Math.round(video.width * ratio)), height: video.height };
  const turned = isQuarterTurn(rotation);
  const info: MediaInfo = {
    container: file.container,
    kind: 'video',
    width: turned ? shown.height : shown.width,
    height: turned ? shown.width : shown.height,
    durationSeconds,
    fps: fraction(video.avg_frame_rate),
    videoCodec: video.codec_name as string,
    audioCodec: audio?.codec_name ?? null,
    hasAudio: audio !== null,
    bytes: file.bytes,
    rotation,
  };
  const allTags = [raw.format?.tags, ...streams.map((stream) => stream.tags)];
  const stored = { width: video.width, height: video.height, videoCodec: info.videoCodec };
  return {
    file,
    info,
    squarePixels: ratio === 1,
    pixelFormat: video.pix_fmt ?? null,
    frame: frameOf(stored, video.pix_fmt, video.refs),
    colour: colourOf(video),
    progressive: video.field_order === 'progressive' || ['gif', 'apng'].includes(info.videoCodec),
    rate: info.fps === null ? null : (video.avg_frame_rate as string),
    videoTrack: video.index ?? 0,
    audioTrack: audio?.index ?? null,
    sound: audio ? { profile: audio.profile ?? '', rate: Number(audio.sample_rate), channels: audio.channels ?? 0 } : null,
    audioSeconds,
    tags: allTags.flatMap((found) => Object.keys(found ?? {})),
    credits: creditsOfTags(raw.format?.tags),
  };
}

function assertCodecs(video: RawStream, audio: RawStream | null): void {
  if (!VIDEO_CODECS.has(video.codec_name ?? ''))
    throw PipelineError.of('media_video_codec', { fields: { codec: video.codec_name ?? 'something unknown' } });
  if (audio && !knownAudio(audio.codec_name))
    throw PipelineError.of('media_audio_codec', { fields: { codec: audio.codec_name ?? 'something unknown' } });
  // profile 5 has no picture that a decoder without Dolby's metadata shows in the right colours
  if (video.side_data_list?.some((data) => data.dv_profile === 5))
    throw PipelineError.of('media_video_codec', { fields: { codec: 'Dolby Vision profile 5' } });
}

function assertLength(limits: MediaLimits, { width, height, avg_frame_rate }: RawStream, durationSeconds: number | null): void {
  if (durationSeconds !== null && durationSeconds > limits.durationSeconds) {
    throw PipelineError.of('media_too_long', { fields: { seconds: Math.round(durationSeconds), limitSeconds: limits.durationSeconds } });
  }
  const totalPixels = (width ?? 0) * (height ?? 0) * (durationSeconds ?? 0) * (fraction(avg_frame_rate) ?? 0);
  if (totalPixels > limits.totalPixels)
    throw PipelineError.of('media_too_many_frames', { fields: { billions: Math.round(totalPixels / 1e9) } });
}

/** Where picture and sound end, counted from the first moment of either. */
async function lengths(
  toolbox: Toolbox,
  file: SniffedFile,
  { video, audio, signal }: { video: RawStream; audio: RawStream | null; signal: AbortSignal },
): Promise<{ durationSeconds: number | null; audioSeconds: number | null }> {
  const spans = [video, audio].map((stream) => {
    const length = seconds(stream?.duration);
    const start = Number(stream?.start_time ?? 0) || 0;
    return stream === null ? undefined : length === null ? null : { start, end: start + length };
  });
  if (spans.includes(null)) {
    const tracks = await readTimeline(toolbox, file, signal);
    for (const [index, stream] of [video, audio].entries()) if (stream) spans[index] = tracks.get(stream.index ?? 0);
  }
  const [picture, sound] = spans;
  const zero = Math.min(picture?.start ?? Infinity, sound?.start ?? Infinity);
  const length = (span: { end: number } | null | undefined) => (span && span.end > zero ? span.end - zero : null);
  return { durationSeconds: length(picture), audioSeconds: length(sound) };
}

function colourOf({ color_space, color_transfer, color_primaries, color_range }: RawStream): Colour {
  const said = (name: string | undefined) => (name === undefined || ['unknown', 'reserved', 'unspecified'].includes(name) ? null : name);
  return { matrix: said(color_space), transfer: said(color_transfer), primaries: said(color_primaries), fullRange: color_range === 'pc' };
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
