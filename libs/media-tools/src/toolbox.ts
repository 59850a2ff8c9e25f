import { rm } from 'node:fs/promises';
import { ffmpegArguments, type FfmpegPlan } from './ffmpeg-arguments';
import type { MediaLimits } from './media-limits';
import { MOST_THREADS, threadsWithin, type FrameShape, type MediaWork } from './memory-budget';
import { runProcess } from './run-process';

/** Programs and limits that every operation works with. */
export interface Toolbox {
  ffmpegPath: string;
  ffprobePath: string;
  limits: MediaLimits;
}

export interface FfmpegRun {
  signal: AbortSignal;
  timeoutMs: number;
  fileBytes?: number;
  onOutput?: (chunk: Buffer) => void;
}

/** Threads for work on a probed video, as its frames and the memory allow. */
export const threadsFor = ({ limits }: Toolbox, frame: FrameShape, work: MediaWork): string =>
  String(threadsWithin(limits.memoryBytes, frame, work));

/** Runs ffmpeg within the limits; an output file is removed when the run fails. */
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
      cpuSeconds: (run.timeoutMs / 1000) * MOST_THREADS,
      ...(run.onOutput ? { onOutput: run.onOutput } : {}),
    });
  } catch (error) {
    if (plan.output !== 'pipe:1') await rm(plan.output, { force: true });
    throw error;
  }
}
