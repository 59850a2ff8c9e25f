import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { hammingDistance, pdqHash } from './pdq';
import { decodePicture } from './pictures';
import type { ProbedFile } from './probe';
import type { Toolbox } from './toolbox';
import { eachFrame } from './video-frames';

export interface PdqPrint {
  /** 64 hex digits. */
  hash: string;
  /** 0 to 100. */
  quality: number;
  /** Where in the video the frame stands; `null` for a picture. */
  atSeconds: number | null;
}

export interface Fingerprint {
  /** Lower-case hex of the file. */
  sha256: string;
  /** One for a picture, 1 to 32 for a video, in order of time. */
  pdq: PdqPrint[];
}

/** PDQ is defined on pictures up to this size; larger ones are scaled down first. */
const PDQ_SIDE = 512;
const MOST_FRAMES = 32;
/** Steps that share one grid, so that a shortened copy is sampled where the whole was. */
const STEPS_SECONDS = [0.5, 1, 1.5, 2, 3, 4.5, 6, 9, 12, 18, 30];
/** Neighbours within this distance show the same picture; one of them is enough. */
const SAME_SCENE = 6;
/** Beyond this length a whole decode costs more than the frames between key frames are worth. */
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
    maxFrames: MOST_FRAMES,
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

/** Twice a second for short videos, then as often as 32 frames allow. */
function stepFor(durationSeconds: number): number {
  return STEPS_SECONDS.find((step) => durationSeconds / step <= MOST_FRAMES) ?? durationSeconds / MOST_FRAMES;
}

async function hashFile(path: string, signal: AbortSignal): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path, { signal })) hash.update(chunk as Buffer);
  return hash.digest('hex');
}
