import ffmpeg from 'fluent-ffmpeg';

export interface FfmpegInput {
  /** Absolute path, or the description of a generated source with `demuxer: 'lavfi'`. */
  source: string;
  demuxer: string;
  /** Start at this second. */
  seekSeconds?: number;
  options?: readonly string[];
}

export interface FfmpegPlan {
  inputs: readonly FfmpegInput[];
  /** Filter chains joined by commas; no text from outside ever stands in one. */
  videoFilters?: readonly string[];
  audioFilters?: readonly string[];
  outputOptions: readonly string[];
  /** Absolute path, or `pipe:1`. */
  output: string;
  /** `-max_pixels` of each decoder. */
  maxPixels: number;
}

/** Options are only ever given one word per string: given a single string, the builder would split it at its spaces. */
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
 * The argument list of one ffmpeg run: inputs with forced demuxers that may open nothing but the named file, no questions, no console
 * chatter, progress on file descriptor 3.
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

/**
 * What keeps a hostile file to itself: the demuxer is ours to choose, and neither it nor what it nests may open an address or another file
 * (`format_whitelist` is what stops a playlist that poses as a video; the protocol list alone does not).
 */
export function inputGuards(demuxer: string, maxPixels: number): string[] {
  if (demuxer === 'lavfi') return ['-f', 'lavfi'];
  const formats = demuxer === 'mov' ? 'mov,mp4,m4a,3gp,3g2,mj2' : demuxer === 'matroska' ? 'matroska,webm' : demuxer;
  return [
    ...['-f', demuxer, '-format_whitelist', formats, '-protocol_whitelist', 'file,pipe'],
    ...['-max_pixels', String(maxPixels), '-probesize', '20M', '-analyzeduration', '10M'],
  ];
}
