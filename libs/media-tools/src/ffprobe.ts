import type { Toolbox } from './media-limits';
import { runProcess } from './run-process';
import type { SniffedFile } from './sniff';

/**
 * Confines a hostile file: we choose the demuxer, and neither it nor a nested one may open an address or another file. `format_whitelist` stops
 * a playlist that poses as a video; the protocol list alone does not.
 */
export function inputGuards(demuxer: string, maxPixels: number, listed?: string): string[] {
  if (demuxer === 'lavfi') return ['-f', 'lavfi'];
  const formats = listed === undefined ? formatsOf(demuxer) : `${demuxer},${formatsOf(listed)}`;
  return [
    // a list is our own file, so the absolute paths in it are safe
    ...(listed === undefined ? [] : ['-safe', '0']),
    ...['-f', demuxer, '-format_whitelist', formats, '-protocol_whitelist', 'file,pipe'],
    ...['-max_pixels', String(maxPixels), '-probesize', '20M', '-analyzeduration', '10M'],
  ];
}

const formatsOf = (demuxer: string): string =>
  demuxer === 'mov' ? 'mov,mp4,m4a,3gp,3g2,mj2' : demuxer === 'matroska' ? 'matroska,webm' : demuxer;

interface FfprobeRun {
  /** Output options. */
  show: readonly string[];
  signal: AbortSignal;
  onOutput?: (chunk: Buffer) => void;
}

/** Runs ffprobe on a sniffed file within the limits of a short run. */
export function runFfprobe(
  { limits, ffprobePath }: Toolbox,
  { path, demuxer }: SniffedFile,
  { show, signal, onOutput }: FfprobeRun,
): Promise<Buffer> {
  return runProcess({
    program: ffprobePath,
    arguments: [
      ...['-hide_banner', '-loglevel', 'error', ...show],
      ...inputGuards(demuxer as string, limits.pixels),
      // otherwise a decoder of each of hundreds of tracks is opened, which takes longer than a probe may
      ...['-max_streams', String(limits.streams)],
      ...['-i', `file:${path}`],
    ],
    signal,
    timeoutMs: limits.shortRunMs,
    memoryBytes: limits.memoryBytes,
    cpuSeconds: limits.shortRunMs / 1000,
    fileBytes: 1_000_000,
    ...(onOutput ? { onOutput } : {}),
  });
}
