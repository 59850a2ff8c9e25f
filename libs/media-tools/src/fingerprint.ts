import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import type { Toolbox } from './media-limits';
import { hammingDistance, pdqHash } from './pdq';
import { decodePicture } from './pictures';
import type { ProbedFile } from './probe';
import { eachFrame } from './video-frames';

interface PdqPrint {
  /** 64 hex digits. */
  hash: string;
  /** 0 to 100. */
  quality: number;
  /** Position of the frame in the video; `null` for a picture. */
  atSeconds: number | null;
}

export interface Fingerprint {
  /** Lower-case hex. */
  sha256: string;
  /** One for a picture, 1 to 32 for a video, in order of time. */
  pdq: PdqPrint[];
}

/** PDQ is defined for pictures up to this size; larger ones are scaled down first. */
const PDQ_SIDE = 512;
const MAX_FRAMES = 32;
/** Steps on one grid, so that a shortened copy is sampled at the same positions. */
const STEPS_SECONDS = [0.5, 1, 1.5, 2, 3, 4.5, 6, 9, 12, 18, 30];
/** Consecutive frames within this distance count as equal; the one with the best quality is kept. */
const SAME_SCENE = 6;
/** Longer videos are sampled at key frames only, because decoding every frame costs too much. */
const KEY_FRAMES_AFTER_SECONDS = 180;

export async function fingerprintFile(toolbox: Toolbox, probed: ProbedFile, signal: AbortSignal): Promise<Fingerprint> {
  const sha256 = await hashFile(probed.file.path, signal);
  if (probed.info.kind === 'image') {
    const { rgb, width, height } = await decodePicture(probed.file.path, PDQ_SIDE, toolbox.limits);
    return { sha256, pdq: [{ ...pdqHash(rgb, width, height), atSeconds: null }] };
  }
  return { sha256, pdq: await videoPrints(toolbox, probed, signal) };
}

async function videoPrints(toolbox: Toolbox, probed: ProbedFile, signal: AbortSignal): Promise<PdqPrint[]> {
  const duration = probed.info.durationSeconds ?? 0;
  const prints: PdqPrint[] = [];
  const plan = {
    stepSeconds: stepFor(duration),
    maxFrames: MAX_FRAMES,
    maxSide: PDQ_SIDE,
    keyFramesOnly: duration > KEY_FRAMES_AFTER_SECONDS,
  };
  const take = (print: PdqPrint) => {
    const last = prints.at(-1);
    if (!last || hammingDistance(last.hash, print.hash) > SAME_SCENE) prints.push(print);
    else if (print.quality > last.quality) prints[prints.length - 1] = print;
  };
  await eachFrame(
    toolbox,
    probed,
    plan,
    ({ rgb, width, height }, atSeconds) => take({ ...pdqHash(rgb, width, height), atSeconds }),
    signal,
  );
  return prints;
}

/** Twice a second for short videos; longer steps so that 32 frames cover the whole video. */
function stepFor(durationSeconds: number): number {
  return STEPS_SECONDS.find((step) => durationSeconds / step <= MAX_FRAMES) ?? durationSeconds / MAX_FRAMES;
}

async function hashFile(path: string, signal: AbortSignal): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path, { signal })) hash.update(chunk as Buffer);
  return hash.digest('hex');
}
