import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { PipelineError, type RightsMatch } from '@autoposter/domain';
import { defineStep, done } from '@autoposter/job-engine';
import type { MediaTools } from '@autoposter/media-tools';
import type { ObjectStore } from '@autoposter/object-store';
import type { MatchedFrame } from '@autoposter/persistence';
import { refusal, type RightsRegister } from '../rights-register';
import type { Matched } from './match-register.step';

export interface WithFrames extends Matched {
  /** Both sides of the strongest matches. */
  frames: MatchedFrame[];
}

interface FrameTools {
  media: MediaTools;
  objects: ObjectStore;
  register: RightsRegister;
}

/** Matches whose frames are kept, strongest first: a title that many works share has dozens. */
const KEPT_MATCHES = 3;
const FRAME_SIDE = 480;

/** Keeps the pictures that a person would compare, before a file of either side can be deleted; then refuses what is blocked. */
export const keepFrames = defineStep<Matched, WithFrames, FrameTools>({
  name: 'keep-frames',
  effect: 'read',
  async run(input, tools, { workFolder, signal, logger }) {
    const { verdict, matches, fingerprints, files } = input;
    const frames: MatchedFrame[] = [];
    const shown = matches.filter(({ strength, by }) => strength !== 'pass' && by !== 'sound').slice(0, KEPT_MATCHES);
    const out = join(workFolder, 'frame.jpg');
    for (const match of shown) {
      const { file, nearest, segment } = match;
      const about = { other: { kind: match.kind, id: match.id }, file };
      const ours = files[file];
      if (ours === undefined) continue;
      const take = async (side: MatchedFrame['side'], source: string, isVideo: boolean, at: number | null | undefined) => {
        const atSeconds = isVideo ? (at ?? 0) : null;
        await tools.media.still(source, out, { atSeconds: atSeconds ?? 0, maxSide: FRAME_SIDE }, signal);
        const bytes = await readFile(out);
        frames.push({ ...about, side, atSeconds, contentType: 'image/jpeg', sha256: sha256Of(bytes), bytes });
      };
      // a missing frame is no reason to hold a decision back
      const unlessUnreadable = async (side: MatchedFrame['side'], work: () => Promise<void>) => {
        try {
          await work();
        } catch (error) {
          if (!(error instanceof PipelineError) || signal.aborted) throw error;
          logger.warn({ ...about, side, error }, 'a matching frame cannot be read; the decision is kept without it');
        }
      };
      await unlessUnreadable('ours', () =>
        take('ours', ours.file, ours.original.mediaType === 'video', nearest?.ours ?? segment?.ours.fromSeconds),
      );
      await unlessUnreadable('theirs', () =>
        withTheirFile(tools, match, join(workFolder, 'theirs'), signal, (path, isVideo) =>
          take('theirs', path, isVideo, nearest?.theirs ?? segment?.theirs.fromSeconds),
        ),
      );
    }
    return verdict.verdict === 'blocked' ? refusal({ verdict, matches, fingerprints, frames }) : done({ ...input, frames });
  },
});

async function withTheirFile(
  { objects, register }: FrameTools,
  { id, nearest }: RightsMatch,
  path: string,
  signal: AbortSignal,
  work: (path: string, isVideo: boolean) => Promise<void>,
): Promise<void> {
  const [stored] = await register.compared([{ id, file: nearest?.theirFile ?? 0 }]);
  if (stored?.objectKey == null) return;
  try {
    const { stream } = await objects.get(stored.objectKey);
    await pipeline(stream, createWriteStream(path), { signal });
    await work(path, stored.mediaType === 'video');
  } finally {
    await rm(path, { force: true });
  }
}

const sha256Of = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
