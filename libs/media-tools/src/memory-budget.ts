import { readFileSync } from 'node:fs';
import { availableParallelism, totalmem } from 'node:os';
import { posix } from 'node:path';
import { PipelineError } from '@autoposter/domain';

/** The text of a kernel file; `null` if it does not exist. */
type ReadKernelFile = (path: string) => string | null;

const MIB = 1024 * 1024;

/** Memory of the worker beside its decoders. */
const WORKER_BYTES = 384 * MIB;
/** More than any file within the other limits needs. */
const MAX_DECODER_BYTES = 4096 * MIB;

/**
 * Memory that this process may use: the smallest limit of its control group and the parents of it (version 1 or 2), at most the memory of
 * the machine.
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

/** Inside a container the path may be that of the host: then only the root of the mount exists, which is the container's own group. */
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

/** Memory for one of `concurrency` decoders. The worker gets at most a third of a small container. */
export function decoderMemory(limitBytes: number, concurrency: number): number {
  const left = limitBytes - Math.min(WORKER_BYTES, limitBytes / 3);
  return Math.floor(Math.min(MAX_DECODER_BYTES, left / Math.max(1, concurrency)));
}

/** A picture is in memory as RGBA up to three times: decoded, rotated and scaled. */
const PICTURE_BYTES_PER_PIXEL = 12;
export const pixelsWithin = (memoryBytes: number): number => Math.floor(memoryBytes / PICTURE_BYTES_PER_PIXEL);

/** Measured with libheif-js 1.23 and Node 20 and 24: a process of Node with the file, and the planes of the picture beside its pixels and the file. */
const HEIC_COST = { fixed: 128 * MIB, pixel: 9, deepPixel: 13, reducedPixel: 6 } as const;
/** A picture is written at most 1440 wide, and tone mapping needs 40 bytes for each pixel: larger ones with a high dynamic range are reduced first. */
export const MAX_DEEP_PIXELS = 4096 * 4096;

/** Bytes that libheif may use for a file of this size. Throws `too_large` if a picture of these pixels does not fit into them. */
export function heicHeap(
  memoryBytes: number,
  fileBytes: number,
  { width, height, isDeep }: Pick<FrameShape, 'width' | 'height'> & { isDeep: boolean },
): number {
  const pixels = width * height;
  const process = HEIC_COST.fixed + fileBytes + (isDeep ? HEIC_COST.reducedPixel * Math.min(pixels, MAX_DEEP_PIXELS) : 0);
  const needed = process + fileBytes + (isDeep ? HEIC_COST.deepPixel : HEIC_COST.pixel) * pixels;
  if (needed > memoryBytes) throw needsMemory(memoryBytes, needed, { width, height });
  return memoryBytes - process;
}

/** Properties of a stream that determine the memory for decoding it. */
export interface FrameShape {
  width: number;
  height: number;
  pixelFormat: string | null;
  codec: string;
  /** Number of reference frames. */
  references: number;
}

/** More threads cost memory and gain little at one frame size. */
export const MAX_THREADS = Math.min(4, availableParallelism());
/** Frames that these codecs keep beside the announced references. */
const KEPT_FRAMES: Record<string, number> = { hevc: 8, av1: 8, vp9: 8, vp8: 3 };
/** Measured with ffmpeg 5.1: a fixed part and a part per thread. Encoding to the Reels profile needs more of both than decoding. */
const COST = { decode: { fixed: 64 * MIB, thread: 24 * MIB }, encode: { fixed: 200 * MIB, thread: 100 * MIB } } as const;

export type MediaWork = keyof typeof COST;

/** Each thread holds one frame and queues another; the filters hold two more. */
export function memoryNeeded(frame: FrameShape, work: MediaWork, threads: number): number {
  const kept = Math.max(frame.references, KEPT_FRAMES[frame.codec] ?? 1);
  const frameBytes = frame.width * frame.height * bytesPerPixel(frame.pixelFormat);
  return COST[work].fixed + COST[work].thread * threads + frameBytes * (kept + 2 + 2 * threads);
}

/** The number of threads that fit into the memory. Throws `too_large` if one does not fit, instead of being killed by the kernel. */
export function threadsWithin(memoryBytes: number, frame: FrameShape, work: MediaWork, most: number = MAX_THREADS): number {
  for (let threads = most; threads >= 1; threads -= 1) if (memoryNeeded(frame, work, threads) <= memoryBytes) return threads;
  throw needsMemory(memoryBytes, memoryNeeded(frame, work, 1), frame);
}

function needsMemory(allowedBytes: number, neededBytes: number, { width, height }: Pick<FrameShape, 'width' | 'height'>): PipelineError {
  const neededMegabytes = Math.ceil(neededBytes / MIB);
  const allowedMegabytes = Math.floor(allowedBytes / MIB);
  return PipelineError.of('media_needs_memory', {
    fields: { width, height },
    detail: { width, height, neededMegabytes, allowedMegabytes },
  });
}

function bytesPerPixel(pixelFormat: string | null): number {
  const format = pixelFormat ?? 'yuv420p';
  const samples = /420|nv12|nv21/.test(format) ? 1.5 : /422|yuyv/.test(format) ? 2 : /^(gray|mono|pal8)/.test(format) ? 1 : 4;
  return /(9|10|12|14|16)(le|be)$/.test(format) ? samples * 2 : samples;
}
