import { readFileSync } from 'node:fs';
import { availableParallelism, totalmem } from 'node:os';
import { posix } from 'node:path';
import { PipelineError } from '@autoposter/domain';

/** The text of a file that the kernel offers; `null` where it does not. */
export type ReadKernelFile = (path: string) => string | null;

const MIB = 1024 * 1024;

/** What the worker itself needs beside its decoders. */
const WORKER_BYTES = 384 * MIB;
/** More than any file within the other limits needs. */
const MOST_DECODER_BYTES = 4096 * MIB;

/**
 * Memory that this process may use: the smallest limit of its control group and of the groups around it (version 1 or 2), at most what
 * the machine has.
 */
export function memoryLimit(read: ReadKernelFile = readKernelFile, machineBytes: number = totalmem()): number {
  const limits = (read('/proc/self/cgroup') ?? '').split('\n').flatMap((line) => {
    const [, controllers = '', path = '/'] = /^\d+:([^:]*):(.*)$/.exec(line) ?? [];
    if (!line.includes(':')) return [];
    if (controllers === '')
      return ['/sys/fs/cgroup', '/sys/fs/cgroup/unified'].flatMap((root) => limitsAbove(read, root, path, 'memory.max'));
    if (!controllers.split(',').includes('memory')) return [];
    return limitsAbove(read, '/sys/fs/cgroup/memory', path, 'memory.limit_in_bytes');
  });
  return Math.min(machineBytes, ...limits);
}

/** From inside a container the path may be the host's: then only the root of the mount exists, and it is the container's own group. */
function limitsAbove(read: ReadKernelFile, root: string, path: string, file: string): number[] {
  const limits: number[] = [];
  for (let group = posix.join('/', path); ; group = posix.dirname(group)) {
    const text = read(posix.join(root, group, file))?.trim();
    if (text !== undefined && /^\d+$/.test(text) && Number(text) > 0) limits.push(Number(text));
    if (group === '/') return limits;
  }
}

function readKernelFile(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}

/** Memory for one decoder, where `concurrency` of them run at a time beside the worker. A small container leaves the worker a third. */
export function decoderMemory(limitBytes: number, concurrency: number): number {
  const left = limitBytes - Math.min(WORKER_BYTES, limitBytes / 3);
  return Math.floor(Math.min(MOST_DECODER_BYTES, left / Math.max(1, concurrency)));
}

/** A picture is held as RGBA up to three times: as decoded, turned upright, and scaled. */
const PICTURE_BYTES_PER_PIXEL = 12;
export const pixelsWithin = (memoryBytes: number): number => Math.floor(memoryBytes / PICTURE_BYTES_PER_PIXEL);

/** What decides how much memory decoding takes. */
export interface FrameShape {
  width: number;
  height: number;
  pixelFormat: string | null;
  codec: string;
  /** Frames that the stream says it refers to. */
  references: number;
}

/** More threads than this cost memory and bring little for one picture size. */
export const MOST_THREADS = Math.min(4, availableParallelism());
/** Frames that these codecs keep without announcing them. */
const KEPT_FRAMES: Record<string, number> = { hevc: 8, av1: 8, vp9: 8, vp8: 3 };
/** Measured with ffmpeg 5.1: fixed part, part of each thread; the encoder of the Reels profile needs more of both than a decoder alone. */
const COST = { decode: { fixed: 64 * MIB, thread: 24 * MIB }, encode: { fixed: 200 * MIB, thread: 100 * MIB } } as const;

export type MediaWork = keyof typeof COST;

/** Each thread works on a frame and has one on its way; two more are with the filters. */
export function memoryNeeded(frame: FrameShape, work: MediaWork, threads: number): number {
  const kept = Math.max(frame.references, KEPT_FRAMES[frame.codec] ?? 1);
  const frameBytes = frame.width * frame.height * bytesPerPixel(frame.pixelFormat);
  return COST[work].fixed + COST[work].thread * threads + frameBytes * (kept + 2 + 2 * threads);
}

/** As many threads as fit into the memory. Throws `too_large` where not even one does: a refusal instead of a kill by the kernel. */
export function threadsWithin(memoryBytes: number, frame: FrameShape, work: MediaWork, most: number = MOST_THREADS): number {
  for (let threads = most; threads >= 1; threads -= 1) if (memoryNeeded(frame, work, threads) <= memoryBytes) return threads;
  const { width, height } = frame;
  const neededMegabytes = Math.ceil(memoryNeeded(frame, work, 1) / MIB);
  const allowedMegabytes = Math.floor(memoryBytes / MIB);
  throw PipelineError.of('media_needs_memory', { fields: { width, height }, detail: { width, height, neededMegabytes, allowedMegabytes } });
}

function bytesPerPixel(pixelFormat: string | null): number {
  const format = pixelFormat ?? 'yuv420p';
  const samples = /420|nv12|nv21/.test(format) ? 1.5 : /422|yuyv/.test(format) ? 2 : /^(gray|mono|pal8)/.test(format) ? 1 : 4;
  return /(9|10|12|14|16)(le|be)$/.test(format) ? samples * 2 : samples;
}
