import { defineStep, done } from '@autoposter/job-engine';
import type { MatchedFrame } from '@autoposter/persistence';
import { fileOnDisk, type FrameTools, matchedFrames, shownMatches, storedFile } from '../../matched-frames';
import { refusal } from '../rights-register';
import type { Matched } from './match-register.step';

export interface WithFrames extends Matched {
  /** Both sides of the strongest matches. */
  frames: MatchedFrame[];
}

/** Keeps the pictures that a person would compare, before a file of either side can be deleted; then refuses what is blocked. */
export const keepFrames = defineStep<Matched, WithFrames, FrameTools>({
  name: 'keep-frames',
  effect: 'read',
  async run(input, tools, context) {
    const { verdict, matches, fingerprints, files } = input;
    const frames: MatchedFrame[] = [];
    for (const match of shownMatches(matches)) {
      const ours = files[match.file];
      if (ours === undefined) continue;
      const theirs = storedFile(tools, { id: match.id, file: match.nearest?.theirFile ?? 0 }, context);
      frames.push(...(await matchedFrames(match, { ours: fileOnDisk(ours.file, ours.original.mediaType), theirs }, tools.media, context)));
    }
    return verdict.verdict === 'blocked' ? refusal({ verdict, matches, fingerprints, frames }) : done({ ...input, frames });
  },
});
