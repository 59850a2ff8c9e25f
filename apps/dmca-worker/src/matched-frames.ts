import { createHash } from 'node:crypto';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { PipelineError, type RightsMatch } from '@autoposter/domain';
import type { StepContext } from '@autoposter/job-engine';
import type { MediaTools } from '@autoposter/media-tools';
import { type ObjectStore, saveObject } from '@autoposter/object-store';
import type { MatchedFrame } from '@autoposter/persistence';
import type { RightsRegister } from './dmca/rights-register';

export interface FrameTools {
  media: MediaTools;
  objects: ObjectStore;
  register: RightsRegister;
}

/** Frames of the strongest matches are stored. More would be too many: a title that many works share has dozens of matches. */
const KEPT_MATCHES = 3;
const FRAME_SIDE = 480;

/** Makes the file of one side of a match available during `use`; does not call it if the file is no longer stored. */
type MatchedFile = (use: (path: string, mediaType: 'video' | 'image') => Promise<void>) => Promise<void>;

export const fileOnDisk =
  (path: string, mediaType: 'video' | 'image'): MatchedFile =>
  (use) =>
    use(path, mediaType);

/** The file of a claim, or the original of an item. */
export const storedFile =
  ({ objects, register }: FrameTools, owner: { id: string; file: number }, { workFolder, signal }: StepContext): MatchedFile =>
  async (use) => {
    const [stored] = await register.compared([owner]);
    if (stored?.objectKey == null) return;
    const path = join(workFolder, 'stored');
    try {
      await saveObject(objects, stored.objectKey, path, signal);
      await use(path, stored.mediaType);
    } finally {
      await rm(path, { force: true });
    }
  };

type Sides = Record<MatchedFrame['side'], MatchedFile>;

/** The pictures that a person compares, of both sides of the strongest matches. `sidesOf` returns `null` for a match without a file of ours. */
export async function matchedFrames(
  matches: readonly RightsMatch[],
  sidesOf: (match: RightsMatch) => Sides | null,
  media: MediaTools,
  context: StepContext,
): Promise<MatchedFrame[]> {
  const shown = matches.filter(({ strength, by }) => strength !== 'pass' && by !== 'sound').slice(0, KEPT_MATCHES);
  const frames: MatchedFrame[] = [];
  for (const match of shown) {
    const sides = sidesOf(match);
    if (sides !== null) frames.push(...(await framesOf(match, sides, media, context)));
  }
  return frames;
}

/** Both sides at their nearest frames. A side that cannot be read is omitted, because the decision does not need it. */
async function framesOf(
  match: RightsMatch,
  sides: Sides,
  media: MediaTools,
  { workFolder, signal, logger }: StepContext,
): Promise<MatchedFrame[]> {
  const { kind, id, file, nearest, segment } = match;
  const about = { other: { kind, id }, file };
  const out = join(workFolder, 'frame.jpg');
  const frames: MatchedFrame[] = [];
  for (const side of ['ours', 'theirs'] as const) {
    try {
      await sides[side](async (path, mediaType) => {
        const atSeconds = mediaType === 'video' ? (nearest?.[side] ?? segment?.[side].fromSeconds ?? 0) : null;
        await media.still(path, out, { atSeconds: atSeconds ?? 0, maxSide: FRAME_SIDE }, signal);
        const bytes = await readFile(out);
        const sha256 = createHash('sha256').update(bytes).digest('hex');
        frames.push({ ...about, side, atSeconds, contentType: 'image/jpeg', sha256, bytes });
      });
    } catch (error) {
      if (!(error instanceof PipelineError) || signal.aborted) throw error;
      logger.warn({ ...about, side, error }, 'a matching frame cannot be read; the decision is kept without it');
    }
  }
  return frames;
}
