import { toFailure } from '@autoposter/domain';
import { runProcess } from './run-process';
import { runFfmpeg, type Toolbox } from './toolbox';

export interface ToolReport {
  available: boolean;
  /** One sentence for a person. */
  message: string;
  version: string | null;
}

export interface MediaCapabilities {
  ffmpeg: ToolReport;
  ffprobe: ToolReport;
  /** Whether this ffmpeg really encodes, tried with one frame and one moment of silence. */
  encoders: { h264: boolean; aac: boolean };
}

const PROBE_MS = 15_000;

/** Looks what the installed tools can do; never throws for a tool that is missing. */
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
