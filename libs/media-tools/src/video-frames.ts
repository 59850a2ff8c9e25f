import { PipelineError } from '@autoposter/domain';
import { runFfmpeg, threadsFor } from './ffmpeg';
import type { Toolbox } from './media-limits';
import type { RgbPicture } from './pictures';
import type { ProbedFile } from './probe';
import { type ReelAnalysis, ReelMeter } from './reel-analysis';

/** The size scaled down to fit a square of `maxSide`; never enlarged. */
function fitInside(info: { width: number; height: number }, maxSide: number): { width: number; height: number } {
  const scale = Math.min(1, maxSide / Math.max(info.width, info.height));
  return { width: Math.max(2, Math.round(info.width * scale)), height: Math.max(2, Math.round(info.height * scale)) };
}

/** One frame at or after a position of a video; `null` if there is none. */
export async function grabFrame(
  toolbox: Toolbox,
  probed: ProbedFile,
  atSeconds: number,
  maxSide: number,
  signal: AbortSignal,
): Promise<RgbPicture | null> {
  const frames: RgbPicture[] = [];
  const more = { seekSeconds: atSeconds, outputOptions: ['-frames:v', '1'], timeoutMs: toolbox.limits.shortRunMs };
  await readFrames(toolbox, probed, { maxSide, ...more }, (frame) => frames.push(frame), signal);
  return frames[0] ?? null;
}

/**
 * Passes a frame every `stepSeconds` to `onFrame`, holding one in memory at a time. The times are those of the video and never the key frames
 * of its encoder: these differ between copies. The same decoding measures what normalisation needs. `endSeconds` ends it; `null` means the whole video.
 */
export async function eachFrame(
  toolbox: Toolbox,
  probed: ProbedFile,
  plan: { stepSeconds: number; maxSide: number; endSeconds: number | null },
  onFrame: (frame: RgbPicture, atSeconds: number) => void,
  signal: AbortSignal,
): Promise<ReelAnalysis> {
  let index = 0;
  const take = (frame: RgbPicture | null, at: number): void => {
    if (frame === null) return;
    onFrame(frame, at);
    index += 1;
  };
  const meter = new ReelMeter(probed);
  const options = {
    maxSide: plan.maxSide,
    filters: [`fps=1/${plan.stepSeconds}:start_time=0:round=down`, ...meter.videoFilters],
    meter,
    outputOptions: plan.endSeconds === null ? [] : ['-t', String(plan.endSeconds)],
    timeoutMs: toolbox.limits.longRunMs + (probed.info.durationSeconds ?? 0) * 1000,
  };
  await readFrames(toolbox, probed, options, (frame) => take(frame, index * plan.stepSeconds), signal);
  // a video that ends within the first step has frames, but none that is due
  if (index === 0) take(await grabFrame(toolbox, probed, 0, plan.maxSide, signal), 0);
  if (index === 0) throw PipelineError.of('media_undecodable');
  return meter.result();
}

interface FrameOptions {
  maxSide: number;
  seekSeconds?: number;
  filters?: string[];
  outputOptions: string[];
  timeoutMs: number;
  meter?: ReelMeter;
}

async function readFrames(
  toolbox: Toolbox,
  probed: ProbedFile,
  options: FrameOptions,
  onFrame: (frame: RgbPicture) => void,
  signal: AbortSignal,
): Promise<void> {
  const { file, info } = probed;
  const { width, height } = fitInside(info, options.maxSide);
  const frameBytes = width * height * 3;
  let pending: Buffer[] = [];
  let pendingBytes = 0;
  const onOutput = (chunk: Buffer) => {
    pending.push(chunk);
    pendingBytes += chunk.length;
    if (pendingBytes < frameBytes) return;
    let data = Buffer.concat(pending);
    for (; data.length >= frameBytes; data = data.subarray(frameBytes)) onFrame({ rgb: data.subarray(0, frameBytes), width, height });
    pending = data.length > 0 ? [data] : [];
    pendingBytes = data.length;
  };
  const input = {
    source: file.path,
    demuxer: file.demuxer as string,
    options: ['-threads', threadsFor(toolbox, probed.frame, 'decode')],
    ...(options.seekSeconds !== undefined ? { seekSeconds: options.seekSeconds } : {}),
  };
  const plan = {
    inputs: [input],
    videoFilters: [...(options.filters ?? []), `scale=${width}:${height}:flags=area`, 'setsar=1'],
    outputOptions: ['-map', '0:V:0', '-an', '-sn', '-dn', '-pix_fmt', 'rgb24', '-f', 'rawvideo', ...options.outputOptions],
    output: 'pipe:1',
    moreOutputs: options.meter?.outputs ?? [],
  };
  await runFfmpeg(toolbox, plan, { signal, timeoutMs: options.timeoutMs, onOutput, beside: options.meter?.readers ?? [] });
}
