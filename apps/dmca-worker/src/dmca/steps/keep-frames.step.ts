import type { RightsMatch } from '@autoposter/domain';
import { defineStep, done } from '@autoposter/job-engine';
import type { MatchedFrame } from '@autoposter/persistence';
import { fileOnDisk, type FrameTools, matchedFrames, storedFile } from '../../matched-frames';
import { refusal } from '../rights-register';
import type { Matched } from './match-register.step';

export interface WithFrames extends Matched {
  /** Both sides of the strongest matches. */
  frames: MatchedFrame[];
}

/** Stores the frames that a person would compare, before a file of either side can be deleted; then refuses a blocked post. */
export const keepFrames = defineStep<Matched, WithFrames, FrameTools>({
  name: 'keep-frames',
  effect: 'read',
  async run(input, tools, context) {
    const { verdict, matches, fingerprints, files } = input;
    const sidesOf = ({ id, file, nearest }: RightsMatch) => {
      const ours = files[file];
      if (ours === undefined) return null;
      const theirs = storedFile(tools, { id, file: nearest?.theirFile ?? 0 }, context);
      return { ours: fileOnDisk(ours.file, ours.original.mediaType), theirs };
    };
    const frames = await matchedFrames(matches, sidesOf, tools.media, context);
    return verdict.verdict === 'blocked' ? refusal({ verdict, matches, fingerprints, frames }) : done({ ...input, frames });
  },
});
