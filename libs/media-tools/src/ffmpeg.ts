import { rm } from 'node:fs/promises';
import { PipelineError, toFailure } from '@autoposter/domain';
import ffmpeg from 'fluent-ffmpeg';
import type { MediaInfo, NormalisedVideo } from './media-info';
import { REEL, type Toolbox } from './media-limits';
import { MAX_THREADS, threadsWithin, type FrameShape, type MediaWork } from './memory-budget';
import { readMp4Layout } from './mp4';
import { inputGuards, probeFile, type ProbedFile } from './probe';
import { runProcess } from './run-process';

interface FfmpegInput {
  /** Absolute path, or the description of a generated source with `demuxer: 'lavfi'`. */
  source: string;
  demuxer: string;
  /** Start position. */
  seekSeconds?: number;
  options?: readonly string[];
}

interface FfmpegPlan {
  inputs: readonly FfmpegInput[];
  /** Joined by commas; never contain external text. */
  videoFilters?: readonly string[];
  audioFilters?: readonly string[];
  outputOptions: readonly string[];
  /** Absolute path, or `pipe:1`. */
  output: string;
  /** `-max_pixels` of each decoder. */
  maxPixels: number;
}

/** Options are passed one word per string: the builder splits a single string at spaces. */
interface ArgumentBuilder {
  input(source: string): ArgumentBuilder;
  inputOptions(...options: string[]): ArgumentBuilder;
  output(target: string): ArgumentBuilder;
  outputOptions(...options: string[]): ArgumentBuilder;
  videoFilters(filters: string[]): ArgumentBuilder;
  audioFilters(filters: string[]): ArgumentBuilder;
  _getArguments(): string[];
}

/**
 * The arguments of one ffmpeg run: forced demuxers that may open only the named file, no prompts, no console output, progress on file
 * descriptor 3.
 */
export function ffmpegArguments(plan: FfmpegPlan): string[] {
  const builder = ffmpeg() as unknown as ArgumentBuilder;
  for (const input of plan.inputs) {
    builder.input(input.demuxer === 'lavfi' ? input.source : `file:${input.source}`);
    builder.inputOptions(...inputGuards(input.demuxer, plan.maxPixels), ...(input.options ?? []));
    if (input.seekSeconds !== undefined) builder.inputOptions('-ss', input.seekSeconds.toFixed(3));
  }
  builder.output(plan.output === 'pipe:1' ? 'pipe:1' : `file:${plan.output}`);
  if (plan.videoFilters?.length) builder.videoFilters([...plan.videoFilters]);
  if (plan.audioFilters?.length) builder.audioFilters([...plan.audioFilters]);
  builder.outputOptions(...plan.outputOptions, ...(plan.output === 'pipe:1' ? [] : ['-y']));
  return ['-hide_banner', '-nostdin', '-nostats', '-loglevel', 'error', '-progress', 'pipe:3', ...builder._getArguments()];
}

interface FfmpegRun {
  signal: AbortSignal;
  timeoutMs: number;
  fileBytes?: number;
  onOutput?: (chunk: Buffer) => void;
}

/** Number of threads for a probed video that fit into the memory limit. */
export const threadsFor = ({ limits }: Toolbox, frame: FrameShape, work: MediaWork): string =>
  String(threadsWithin(limits.memoryBytes, frame, work));

/** Runs ffmpeg within the limits; removes the output file of a failed run. */
export async function runFfmpeg(toolbox: Toolbox, plan: Omit<FfmpegPlan, 'maxPixels'>, run: FfmpegRun): Promise<void> {
  const { limits, ffmpegPath } = toolbox;
  try {
    await runProcess({
      program: ffmpegPath,
      arguments: ffmpegArguments({ ...plan, maxPixels: limits.pixels }),
      signal: run.signal,
      timeoutMs: run.timeoutMs,
      stallMs: limits.stallMs,
      memoryBytes: limits.memoryBytes,
      fileBytes: run.fileBytes ?? limits.outputVideoBytes,
      cpuSeconds: (run.timeoutMs / 1000) * MAX_THREADS,
      ...(run.onOutput ? { onOutput: run.onOutput } : {}),
    });
  } catch (error) {
    if (plan.output !== 'pipe:1') await rm(plan.output, { force: true });
    throw error;
  }
}

/** The last audio frame may end 21 ms after the video, and both must fit into a reel. */
const AUDIO_TAIL_SECONDS = 0.05;
/** The only metadata fields that written files may contain. */
const OWN_TAGS = new Set(['major_brand', 'minor_version', 'compatible_brands', 'language', 'handler_name', 'vendor_id', 'encoder']);

/** Encodes a video to the Reels profile; see `MediaTools.normaliseVideo`. */
export async function encodeReel(toolbox: Toolbox, source: ProbedFile, out: string, signal: AbortSignal): Promise<NormalisedVideo> {
  const duration = source.info.durationSeconds;
  const longest = REEL.maxSeconds - AUDIO_TAIL_SECONDS;
  const seconds = Math.min(duration ?? longest, longest);
  const { limits } = toolbox;
  const threads = threadsFor(toolbox, source.frame, 'encode');
  await runFfmpeg(
    toolbox,
    {
      inputs: [{ source: source.file.path, demuxer: source.file.demuxer as string, options: ['-threads', threads] }, ...silence(source)],
      videoFilters: videoFilters(source),
      audioFilters: [`aresample=${REEL.audioRate}:async=1:first_pts=0`, 'apad'],
      outputOptions: outputOptions(source, seconds, limits.outputVideoBytes, threads),
      output: out,
    },
    { signal, timeoutMs: limits.longRunMs + seconds * limits.longRunMsPerSecond, fileBytes: limits.outputVideoBytes },
  );
  try {
    const info = await verify(toolbox, out, duration === null ? null : seconds, signal);
    return { ...info, trimmedFromSeconds: duration !== null && duration > REEL.maxSeconds ? duration : null };
  } catch (error) {
    await rm(out, { force: true });
    throw error;
  }
}

/** Muxes one video and one audio track without encoding them; see `MediaTools.muxVideoAndAudio`. */
export async function joinTracks(
  toolbox: Toolbox,
  video: FfmpegInput,
  audio: FfmpegInput,
  out: string,
  signal: AbortSignal,
): Promise<void> {
  const outputOptions = [
    ...['-map', '0:V:0', '-map', '1:a:0', '-c', 'copy', '-sn', '-dn'],
    ...['-map_metadata', '-1', '-map_chapters', '-1', '-fflags', '+bitexact', '-movflags', '+faststart', '-f', 'mp4'],
  ];
  const { limits } = toolbox;
  await runFfmpeg(
    toolbox,
    { inputs: [video, audio], outputOptions, output: out },
    { signal, timeoutMs: limits.longRunMs, fileBytes: limits.videoBytes },
  );
}

function silence({ info }: ProbedFile): FfmpegInput[] {
  return info.hasAudio ? [] : [{ source: `anullsrc=r=${REEL.audioRate}:cl=stereo`, demuxer: 'lavfi' }];
}

function videoFilters(source: ProbedFile): string[] {
  const fit = `${REEL.width}:${REEL.height}:force_original_aspect_ratio=decrease:force_divisible_by=2`;
  return [
    `fps=${REEL.fps}`,
    ...(source.squarePixels ? [] : ['scale=trunc(iw*sar/2)*2:ih', 'setsar=1']),
    `scale=${fit}:out_color_matrix=bt709:out_range=tv`,
    'format=yuv420p',
    `pad=${REEL.width}:${REEL.height}:(ow-iw)/2:(oh-ih)/2:color=black`,
    'setsar=1',
  ];
}

function outputOptions({ info }: ProbedFile, seconds: number, limitBytes: number, threads: string): string[] {
  const keyFrames = String(REEL.fps * REEL.keyFrameSeconds);
  return [
    ...['-map', '0:V:0', '-map', info.hasAudio ? '0:a:0' : '1:a:0', '-sn', '-dn', '-t', seconds.toFixed(3)],
    // without a known length the shorter track ends the file, because the audio padding is endless
    ...(info.durationSeconds === null ? ['-shortest'] : []),
    ...['-c:v', 'libx264', '-preset', 'veryfast', '-crf', '20', '-profile:v', 'high', '-level:v', '4.2', '-threads', threads],
    ...['-g', keyFrames, '-flags:v', '+cgop+bitexact', '-maxrate', '8M', '-bufsize', '16M'],
    ...['-color_primaries', 'bt709', '-color_trc', 'bt709', '-colorspace', 'bt709', '-color_range', 'tv'],
    ...['-c:a', 'aac', '-b:a', REEL.audioBitrate, '-ar', String(REEL.audioRate), '-ac', '2', '-flags:a', '+bitexact'],
    ...['-map_metadata', '-1', '-map_metadata:s', '-1', '-map_chapters', '-1', '-fflags', '+bitexact'],
    // otherwise both tracks contain an edit list, for the delay of B frames and the priming of AAC
    ...['-movflags', '+faststart+negative_cts_offsets', '-use_editlist', '0'],
    ...['-fs', String(limitBytes), '-max_muxing_queue_size', '1024', '-f', 'mp4'],
  ];
}

/** Checks the written file: a tool that exits with 0 may still have written half of it. */
async function verify(toolbox: Toolbox, out: string, seconds: number | null, signal: AbortSignal): Promise<MediaInfo> {
  const { info, pixelFormat, audioSeconds, tags } = await probeFile(toolbox, out, signal);
  const layout = await readMp4Layout(out);
  const got = info.durationSeconds ?? 0;
  if (got <= 0) throw PipelineError.of('media_undecodable');
  if (seconds !== null && got < seconds - Math.max(1, seconds * 0.05)) {
    throw PipelineError.of('media_partly_decodable', { fields: { seconds: got.toFixed(1), totalSeconds: seconds.toFixed(1) } });
  }
  const wrong: string[] = [];
  const expect = (holds: boolean, what: string) => void (holds || wrong.push(what));
  expect(info.container === 'mp4' && info.videoCodec === 'h264' && pixelFormat === 'yuv420p', 'codec');
  expect(info.width === REEL.width && info.height === REEL.height && info.rotation === 0, 'size');
  expect(info.fps !== null && Math.abs(info.fps - REEL.fps) < 0.5, 'frame rate');
  expect(info.audioCodec === 'aac' && Math.abs((audioSeconds ?? 0) - got) < 1, 'sound');
  expect(got <= REEL.maxSeconds, 'length');
  expect(layout !== null && layout.indexFirst && layout.editLists === 0, 'layout');
  expect(
    tags.every((tag) => OWN_TAGS.has(tag)),
    'metadata',
  );
  if (wrong.length > 0) {
    const named = { wrong: wrong.join(', ') };
    throw PipelineError.of('media_profile_missed', { fields: named, detail: named });
  }
  return info;
}

interface ToolReport {
  available: boolean;
  /** A sentence for the settings screen. */
  message: string;
  version: string | null;
}

export interface MediaCapabilities {
  ffmpeg: ToolReport;
  ffprobe: ToolReport;
  /** Tested by encoding one frame and a moment of silence. */
  encoders: { h264: boolean; aac: boolean };
}

const PROBE_MS = 15_000;

/** Capabilities of the installed tools; a missing tool is reported and not thrown. */
export async function readCapabilities(toolbox: Toolbox, signal: AbortSignal): Promise<MediaCapabilities> {
  const [ffmpeg, ffprobe] = await Promise.all([
    report('FFmpeg', toolbox.ffmpegPath, signal),
    report('FFprobe', toolbox.ffprobePath, signal),
  ]);
  if (!ffmpeg.available) return { ffmpeg, ffprobe, encoders: { h264: false, aac: false } };
  const h264 = await encodes(toolbox, 'color=c=black:s=64x64:r=10:d=0.1', ['-c:v', 'libx264', '-preset', 'veryfast'], signal);
  const aac = await encodes(toolbox, 'anullsrc=r=48000:cl=stereo:d=0.1', ['-c:a', 'aac'], signal);
  const missing = [...(h264 ? [] : ['libx264']), ...(aac ? [] : ['aac'])];
  if (missing.length > 0)
    ffmpeg.message += `, but it cannot encode with ${missing.join(' and ')}: videos cannot be brought to the Reels profile`;
  return { ffmpeg, ffprobe, encoders: { h264, aac } };
}

async function report(name: string, path: string, signal: AbortSignal): Promise<ToolReport> {
  try {
    const output = await runProcess({ program: path, arguments: ['-version'], signal, timeoutMs: PROBE_MS });
    const version = /version (\S+)/.exec(output.toString('utf8'))?.[1] ?? null;
    return { available: true, message: `${name} ${version ?? 'of unknown version'} is available`, version };
  } catch (error) {
    return { available: false, message: `${name} is not available: ${toFailure(error).message}`, version: null };
  }
}

async function encodes(toolbox: Toolbox, source: string, options: string[], signal: AbortSignal): Promise<boolean> {
  const plan = { inputs: [{ source, demuxer: 'lavfi' }], outputOptions: [...options, '-f', 'null'], output: 'pipe:1' };
  return runFfmpeg(toolbox, plan, { signal, timeoutMs: PROBE_MS, onOutput: () => undefined }).then(
    () => true,
    () => false,
  );
}
