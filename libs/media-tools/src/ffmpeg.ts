import { rm } from 'node:fs/promises';
import { toFailure } from '@autoposter/domain';
import ffmpeg from 'fluent-ffmpeg';
import { inputGuards } from './ffprobe';
import type { Toolbox } from './media-limits';
import { MAX_THREADS, threadsWithin, type FrameShape, type MediaWork } from './memory-budget';
import { runProcess } from './run-process';

export interface FfmpegInput {
  /** Absolute path, or the description of a generated source with `demuxer: 'lavfi'`. */
  source: string;
  demuxer: string;
  /** Demuxer of the files that a list with `demuxer: 'concat'` names. */
  listed?: string;
  /** Start position. */
  seekSeconds?: number;
  options?: readonly string[];
}

export interface FfmpegOutput {
  /** Joined by commas; never contain external text. */
  videoFilters?: readonly string[];
  audioFilters?: readonly string[];
  outputOptions: readonly string[];
  /** Absolute path, or `pipe:1`. */
  output: string;
}

interface FfmpegPlan extends FfmpegOutput {
  inputs: readonly FfmpegInput[];
  /** Made of the same decoded frames and samples. */
  moreOutputs?: readonly FfmpegOutput[];
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
    builder.inputOptions(...inputGuards(input.demuxer, plan.maxPixels, input.listed), ...(input.options ?? []));
    if (input.seekSeconds !== undefined) builder.inputOptions('-ss', input.seekSeconds.toFixed(3));
  }
  for (const { output, videoFilters, audioFilters, outputOptions } of [plan, ...(plan.moreOutputs ?? [])]) {
    builder.output(output === 'pipe:1' ? 'pipe:1' : `file:${output}`);
    if (videoFilters?.length) builder.videoFilters([...videoFilters]);
    if (audioFilters?.length) builder.audioFilters([...audioFilters]);
    builder.outputOptions(...outputOptions, ...(output === 'pipe:1' ? [] : ['-y']));
  }
  return ['-hide_banner', '-nostdin', '-nostats', '-loglevel', 'error', '-progress', 'pipe:3', ...builder._getArguments()];
}

interface FfmpegRun {
  signal: AbortSignal;
  timeoutMs: number;
  fileBytes?: number;
  onOutput?: (chunk: Buffer) => void;
  beside?: readonly ((chunk: Buffer) => void)[];
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
      arguments: ffmpegArguments({ ...plan, maxPixels: limits.videoPixels }),
      signal: run.signal,
      timeoutMs: run.timeoutMs,
      stallMs: limits.stallMs,
      memoryBytes: limits.memoryBytes,
      fileBytes: run.fileBytes ?? limits.outputVideoBytes,
      cpuSeconds: (run.timeoutMs / 1000) * MAX_THREADS,
      ...(run.onOutput ? { onOutput: run.onOutput } : {}),
      ...(run.beside ? { beside: run.beside } : {}),
    });
  } catch (error) {
    if (plan.output !== 'pipe:1') await rm(plan.output, { force: true });
    throw error;
  }
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
  /** Whether videos and pictures with a high dynamic range can be converted. */
  toneMapping: boolean;
  /** Whether sounds can be compared. */
  soundPrints: boolean;
}

const PROBE_MS = 15_000;

/** Capabilities of the installed tools; a missing tool is reported and not thrown. */
export async function readCapabilities(toolbox: Toolbox, signal: AbortSignal): Promise<MediaCapabilities> {
  const [ffmpeg, ffprobe] = await Promise.all([
    report('FFmpeg', toolbox.ffmpegPath, signal),
    report('FFprobe', toolbox.ffprobePath, signal),
  ]);
  if (!ffmpeg.available) return { ffmpeg, ffprobe, encoders: { h264: false, aac: false }, toneMapping: false, soundPrints: false };
  const h264 = await encodes(toolbox, 'color=c=black:s=64x64:r=10:d=0.1', ['-c:v', 'libx264', '-preset', 'veryfast'], signal);
  const aac = await encodes(toolbox, 'anullsrc=r=48000:cl=stereo:d=0.1', ['-c:a', 'aac'], signal);
  const missing = [...(h264 ? [] : ['libx264']), ...(aac ? [] : ['aac'])];
  if (missing.length > 0)
    ffmpeg.message += `, but it cannot encode with ${missing.join(' and ')}: videos cannot be brought to the Reels profile`;
  const filters = await missingFilters(toolbox, TONE_MAPPING, signal);
  if (filters.length > 0) ffmpeg.message += `, but it lacks ${filters.join(' and ')}: HDR videos and pictures are refused`;
  const soundPrints = await hasMuxer(toolbox, SOUND_MUXER, signal);
  if (!soundPrints) ffmpeg.message += `, but it lacks ${SOUND_MUXER}: sounds are not compared`;
  return { ffmpeg, ffprobe, encoders: { h264, aac }, toneMapping: filters.length === 0, soundPrints };
}

/** Filters for videos and pictures with a high dynamic range; `zscale` is absent from builds without zimg. */
export const TONE_MAPPING = ['zscale', 'tonemap'] as const;

/** Fingerprints sounds; absent from builds without Chromaprint. */
export const SOUND_MUXER = 'chromaprint';

/** Those of the named filters that the installed ffmpeg lacks. */
export async function missingFilters(toolbox: Toolbox, names: readonly string[], signal: AbortSignal): Promise<string[]> {
  const known = await listed(toolbox, '-filters', signal);
  return names.filter((name) => !known.has(name));
}

export const hasMuxer = async (toolbox: Toolbox, name: string, signal: AbortSignal): Promise<boolean> =>
  (await listed(toolbox, '-muxers', signal)).has(name);

/** The names of one of ffmpeg's lists, which are in its second column. */
async function listed({ ffmpegPath }: Toolbox, list: '-filters' | '-muxers', signal: AbortSignal): Promise<Set<string | undefined>> {
  const output = await runProcess({ program: ffmpegPath, arguments: ['-hide_banner', list], signal, timeoutMs: PROBE_MS });
  const lines = output.toString('utf8').split('\n');
  return new Set(lines.map((line) => line.trim().split(/\s+/)[1]));
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
